/* msgdump: one message a line from standard input, fields printed, card numbers hidden. */
#include "msg.h"

#include <stdio.h>
#include <string.h>

#if defined(_WIN32)
#define NEWLINE "\r\n"
#else
#define NEWLINE "\n"
#endif

struct totals {
    unsigned long messages, failed, approved;
};

static void print_field(const struct field_def *def, const struct field_value *value, void *context)
{
    char text[MSG_MAX_LEN];
    (void)context;
    memcpy(text, value->data, value->length);
    msg_mask_pan(text, value->length);
    printf("  %2u %-16s %.*s" NEWLINE, def->number, def->label, (int)value->length, text);
}

static int is_approved(const struct message *m)
{
    /* 00 approved, 10 for part of the amount; 85 is an account check, no money */
    const struct field_value *code = &m->field[39];
    return code->length == 2 && (!memcmp(code->data, "00", 2) || !memcmp(code->data, "10", 2));
}

int main(void)
{
    char line[MSG_MAX_LEN];
    struct totals totals = {0, 0, 0};

    while (fgets(line, sizeof line, stdin)) {
        struct message message;
        enum msg_error error = msg_parse(line, strcspn(line, "\r\n"), &message);
        totals.messages++;
        if (error) {
            totals.failed++;
            fprintf(stderr, "line %lu: %s" NEWLINE, totals.messages, msg_strerror(error));
            continue;
        }
        printf("%s" NEWLINE, message.type);
        msg_walk(&message, print_field, NULL);
        totals.approved += (unsigned long)is_approved(&message);
    }
    printf("%lu messages, %lu unreadable, %lu approved" NEWLINE, totals.messages, totals.failed, totals.approved);
    return totals.failed ? 1 : 0;
}
