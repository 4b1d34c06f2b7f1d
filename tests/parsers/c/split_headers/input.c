#define FN(n) int n(void)
static int
#ifdef A
f(a, b)
#else
f(a)
#endif
int a;
{
  return "}"[0] + '{';
}
int (*get(void))(int) { return 0; }
struct s { int (*cb)(int); } g = { 0 };
int main(argc, argv) char **argv; { struct s x; if (1) { return 0; } }
extern "C" { int q(void) { return 1; } }
