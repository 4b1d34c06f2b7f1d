/* Every awkward thing at once. */
#ifdef __cplusplus
extern "C" {
#endif
#define HANDLER(n) int handle_##n(int x)
#define SWAP(a, b) do { \
        int t_ = (a); (a) = (b); (b) = t_; \
    } while (0)
#if 0 /* kept for
         reference { */
int dead(void) {
#endif
EXPORT(pick)
static char *
pick(p, n, compare)
    char *p;
    register int n;
    int (*compare)();
{
    return compare(p) ? p + n : "}{";
}
HANDLER(open)
{
    SWAP(x, x);
    return x;
}
#ifdef WIDE
int width(long n)
#else
int width(int n)
#endif
{
#ifdef FAST
    if (n > 10) {
#elif SLOW
    if (n > 20) {
#else
    while (n > 5) {
#endif
        n = step(n, '{', /* } */ 1);
    }
    return (int) n;
}
int (*chooser(int which))(int)
{
    int local(int);
    return which ? local : table[which].run(3);
}
static const struct { int code; int (*run)(int); } table[] = {
    { 1, width },
    { 2, chooser },   // the last
};
typedef struct { int id; } rec_t, *rec_p;
typedef int (*cb_t)(struct point *, int);
unsigned long flags __attribute__((aligned(8))) = 1UL, more[2];
void odd(void) ??<
    switch (flags) <%
    case 1:
        struct inner { int z; } i;
    default:
        break;
    %>
??>
#ifdef __cplusplus
}
#endif
