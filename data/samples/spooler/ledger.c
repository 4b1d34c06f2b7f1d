/* ledger - petty cash book of the computing centre, M. Müller 1987
 * input lines:  date account amount text...   ("31.12.86 4711 -12.50 café")
 * prints the balance of every account and refuses a book that does not add up
 */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#define NACC 100
long bal[NACC];			/* in pennies, no floating point for money! */
int  accno[NACC], nacc;

#ifdef vax
#define ROUND(x) ((long)((x) + 0.5))
#else
#define ROUND(x) ((long)((x) < 0 ? (x) - 0.5 : (x) + 0.5))
#endif

static int find(no)
int no;
{
	int i;
	for (i = 0; i < nacc; i++)
		if (accno[i] == no)
			return i;
	if (nacc == NACC) {
		fprintf(stderr, "too many accounts\n");
		exit(1);
	}
	accno[nacc] = no;
	return nacc++;
}

/* two digit years, 70 and later are 19xx */
int fullyear(yy)
int yy;
{
	return yy < 70 ? 2000 + yy : 1900 + yy;
}

int post(line)
char *line;
{
	int d, m, y, no;
	double amount;		/* see above ... */

	if (sscanf(line, "%d.%d.%d %d %lf", &d, &m, &y, &no, &amount) != 5)
		return -1;
	if (m < 1 || m > 12 || d < 1 || d > 31 || fullyear(y) > 2030)
		return -1;
	bal[find(no)] += ROUND(amount * 100);
	return 0;
}

int main()
{
	char line[256];
	long total = 0;
	int i, bad = 0;

	while (fgets(line, sizeof line, stdin))
		if (line[0] != '#' && post(line) < 0) {
			fprintf(stderr, "cannot read: %s", line);
			bad++;
		}
	for (i = 0; i < nacc; i++) {
		printf("%6d %10ld.%02ld\n", accno[i], bal[i] / 100, labs(bal[i] % 100));
		total += bal[i];
	}
	if (total != 0) {
		printf("book does not balance by %ld pennies\n", total);
		return 1;
	}
	return bad ? 2 : 0;
}
