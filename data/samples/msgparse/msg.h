#ifndef MSG_H
#define MSG_H
/* Card authorisation messages: fixed header, bitmap, fields. */
#include <stddef.h>
#include <stdint.h>

#define MSG_MAX_FIELD 64
#define MSG_MAX_LEN   1024

enum msg_error {
    MSG_OK = 0,
    MSG_SHORT,
    MSG_BAD_TYPE,
    MSG_BAD_LENGTH,
    MSG_UNKNOWN_FIELD,
    MSG_BAD_DIGIT
};

enum msg_format { FMT_NUM, FMT_ALPHA, FMT_LLVAR, FMT_LLLVAR, FMT_BINARY };

struct field_def {
    uint8_t         number;
    enum msg_format format;
    uint16_t        length;   /* fixed length, or the most for variable ones */
    const char     *label;
};

struct field_value {
    const char *data;         /* points into the caller's buffer */
    uint16_t    length;
};

struct message {
    char               type[5];
    uint64_t           bitmap;
    struct field_value field[MSG_MAX_FIELD + 1];
};

typedef void (*msg_visitor)(const struct field_def *def, const struct field_value *value, void *context);

enum msg_error msg_parse(const char *buffer, size_t length, struct message *out);
void           msg_walk(const struct message *message, msg_visitor visit, void *context);
const char    *msg_strerror(enum msg_error error);
size_t         msg_mask_pan(char *text, size_t length);
int            luhn_ok(const char *digits, size_t length);
#endif
