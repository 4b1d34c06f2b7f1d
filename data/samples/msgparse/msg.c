/* Parser of card authorisation messages. No allocation: values point into the buffer. */
#include "msg.h"

#include <ctype.h>
#include <string.h>

static const struct field_def DEFS[] = {
    {2, FMT_LLVAR, 19, "card number"},
    {3, FMT_NUM, 6, "processing code"},
    {4, FMT_NUM, 12, "amount"},
    {7, FMT_NUM, 10, "sent at"},
    {11, FMT_NUM, 6, "trace"},
    {14, FMT_NUM, 4, "expiry"},
    {22, FMT_NUM, 3, "entry mode"},
    {37, FMT_ALPHA, 12, "reference"},
    {39, FMT_ALPHA, 2, "answer code"},
    {41, FMT_ALPHA, 8, "terminal"},
    {43, FMT_ALPHA, 40, "merchant"},
    {48, FMT_LLLVAR, 999, "additional data"},
#ifdef WITH_CHIP
    {55, FMT_LLLVAR, 255, "chip data"},
#endif
    {64, FMT_BINARY, 8, "authentication"},
};

static const struct field_def *find_def(unsigned number)
{
    for (size_t i = 0; i < sizeof DEFS / sizeof *DEFS; i++)
        if (DEFS[i].number == number)
            return &DEFS[i];
    return NULL;
}

/* Returns the number in n digits, or -1 when one of them is none. */
static int digits(const char *p, int n)
{
    int value = 0;
    while (n-- > 0) {
        if (!isdigit((unsigned char)*p))
            return -1;
        value = value * 10 + (*p++ - '0');
    }
    return value;
}

static enum msg_error read_bitmap(const char *p, uint64_t *bitmap)
{
    *bitmap = 0;
    for (int i = 0; i < 16; i++) {
        const char *hex = "0123456789ABCDEF";
        const char *at = strchr(hex, toupper((unsigned char)p[i]));
        if (at == NULL || *at == '\0')
            return MSG_BAD_DIGIT;
        *bitmap = *bitmap << 4 | (uint64_t)(at - hex);
    }
    return MSG_OK;
}

static enum msg_error take_field(const struct field_def *def, const char **p, const char *end, struct field_value *out)
{
    int prefix = def->format == FMT_LLVAR ? 2 : def->format == FMT_LLLVAR ? 3 : 0;
    int length = def->length;

    if (end - *p < prefix)
        return MSG_SHORT;
    if (prefix) {
        length = digits(*p, prefix);
        if (length < 0 || length > def->length)
            return MSG_BAD_LENGTH;
        *p += prefix;
    }
    if (end - *p < length)
        return MSG_SHORT;
    if (def->format == FMT_NUM && digits(*p, length) < 0)
        return MSG_BAD_DIGIT;
    out->data = *p;
    out->length = (uint16_t)length;
    *p += length;
    return MSG_OK;
}

enum msg_error msg_parse(const char *buffer, size_t length, struct message *out)
{
    const char *p = buffer, *end = buffer + length;
    enum msg_error error;

    memset(out, 0, sizeof *out);
    if (length < 20)
        return MSG_SHORT;
    if (digits(p, 4) < 0 || p[0] != '0')
        return MSG_BAD_TYPE;
    memcpy(out->type, p, 4);
    error = read_bitmap(p + 4, &out->bitmap);
    if (error)
        return error;
    p += 20;
    for (unsigned n = 1; n <= MSG_MAX_FIELD; n++) {
        if (!(out->bitmap >> (MSG_MAX_FIELD - n) & 1))
            continue;
        const struct field_def *def = find_def(n);
        if (def == NULL)
            return MSG_UNKNOWN_FIELD;
        error = take_field(def, &p, end, &out->field[n]);
        if (error)
            return error;
    }
    return MSG_OK;
}

void msg_walk(const struct message *message, msg_visitor visit, void *context)
{
    for (size_t i = 0; i < sizeof DEFS / sizeof *DEFS; i++) {
        const struct field_value *value = &message->field[DEFS[i].number];
        if (value->data)
            visit(&DEFS[i], value, context);
    }
}

const char *msg_strerror(enum msg_error error)
{
    static const char *const TEXT[] = {"ok", "message too short", "bad message type", "bad length", "unknown field", "not a digit"};
    return (size_t)error < sizeof TEXT / sizeof *TEXT ? TEXT[error] : "?";
}

/* Check digit of a card number: every second digit from the right counts double. */
int luhn_ok(const char *number, size_t length)
{
    int sum = 0, twice = 0;
    while (length-- > 0) {
        int d = number[length] - '0';
        if (twice) {
            d *= 2;
            if (d > 9)
                d -= 9;
        }
        sum += d;
        twice = !twice;
    }
    return sum % 10 == 0;
}

/* Hides all but the first six and last four digits of every card number in a text. Returns how many. */
size_t msg_mask_pan(char *text, size_t length)
{
    size_t hidden = 0, start = 0, run = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && isdigit((unsigned char)text[i])) {
            if (run++ == 0)
                start = i;
            continue;
        }
        if (run >= 13 && run <= 19 && luhn_ok(text + start, run)) {
            memset(text + start + 6, '*', run - 10);
            hidden++;
        }
        run = 0;
    }
    return hidden;
}
