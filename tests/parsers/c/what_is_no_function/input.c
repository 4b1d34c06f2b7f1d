/* int ghost() { */
// int ghost2() { \
   int ghost3() {
#if 0
int ghost4() {
#endif
char *s = "int ghost5() {";
typedef struct { int a; } T, *PT;
enum color { RED, GREEN } ;
union u { int i; float f; };
int
main
(
void
)
{
#if X
  if (a) {
#else
  if (b) {
#endif
  }
  return 0;
}
__attribute__((noreturn)) void die(const char *m) { for(;;); }
static inline int sq(int x) { return x*x; } int cube(int x) { return x*x*x; }
