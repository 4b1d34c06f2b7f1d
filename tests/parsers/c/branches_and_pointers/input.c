char *p = "a\"b{"; char q = '\''; char r = '"';
int a(void) /* { */ { return 1; } // }
DEFINE_THING(foo)
{
  bar();
}
int b(int (*f)(void), int n) {
#ifdef X
  for (;;) {
#endif
  f();
#ifdef X
  }
#endif
  return n ? b(f, n-1) : 0;
}
typedef int (*cmp_t)(const void *, const void *);
int c(x) int x; { return x; }
inline
#ifndef WIN
__attribute__((always_inline))
#endif
int d(void)
{
  asm volatile ("nop { ");
  return 0;
}
