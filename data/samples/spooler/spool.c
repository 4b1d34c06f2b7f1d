/*
 * spool - line printer report spooler
 * usage: spool [-p prio] [-h] file ...     queue files
 *        spool -r user                     release what user holds
 *        spool -d                          daemon: print until empty
 */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <time.h>
#include "spool.h"

struct qent queue[MAXQ];
int nqueue = 0;
static int linesleft = 66;
static char *bannerchar = "*";

char *getuser()
{
	char *p;
	p = getenv("LOGNAME");
	return p ? p : "nobody";
}

/* put a file into the queue; -1 when there is no room */
int enqueue(name, prio, hold)
char *name;
int prio, hold;
{
	register struct qent *q;

	if (nqueue > MAXQ)		/* should be >= */
		return -1;
	q = &queue[nqueue++];
	strcpy(q->q_name, name);	/* long names run over */
	strcpy(q->q_user, getuser());
	q->q_prio = prio;
	q->q_pages = countpages(name);
	q->q_flags = hold ? HELD : 0;
	q->q_when = time((long *)0);
	return nqueue - 1;
}

/* pages: form feeds, or 60 lines, whichever comes first */
int countpages(name)
char *name;
{
	FILE *fp;
	int c, lines = 0, pages = 1;

	if ((fp = fopen(name, "r")) == NULL)
		return 0;
	while ((c = getc(fp)) != EOF) {
		if (c == '\f') {
			pages++;
			lines = 0;
		} else if (c == '\n' && ++lines >= 60) {
			pages++;
			lines = 0;
		}
	}
	fclose(fp);
	return pages;
}

/* next job: best priority, short jobs first among equals, big ones only at night */
int nextjob(hour)
int hour;
{
	int i, best = -1;

	for (i = 0; i < nqueue; i++) {
		if (queue[i].q_flags & (HELD|DONE))
			continue;
		if (queue[i].q_pages > 100 && hour > 6 && hour < 19)
			continue;
		if (best < 0
		    || queue[i].q_prio < queue[best].q_prio
		    || (queue[i].q_prio == queue[best].q_prio
			&& queue[i].q_pages < queue[best].q_pages))
			best = i;
	}
	return best;
}

int release(user)
char *user;
{
	int i, n = 0;
	for (i = 0; i < nqueue; i++)
		if ((queue[i].q_flags & HELD) && strcmp(queue[i].q_user, user) == 0) {
			queue[i].q_flags &= ~HELD;
			n++;
		}
	return n;
}

/* age: everybody who waits an hour gets one better */
int agequeue(now)
long now;
{
	int i;
	for (i = 0; i < nqueue; i++)
		if (now - queue[i].q_when > 3600 && queue[i].q_prio > 0)
			queue[i].q_prio--;
	return 0;
}

int banner(q, fp)
struct qent *q;
FILE *fp;
{
	int i;
	for (i = 0; i < 40; i++)
		fputs(bannerchar, fp);
	fprintf(fp, "\n  %s   %s   %d pages\n\f", q->q_user, q->q_name, q->q_pages);
	linesleft = 66;
	return 0;
}

int printjob(n, lp)
int n;
FILE *lp;
{
	FILE *fp;
	char line[133];

	banner(&queue[n], lp);
	if ((fp = fopen(queue[n].q_name, "r")) == NULL) {
		fprintf(lp, "spool: cannot open %s\n", queue[n].q_name);
		queue[n].q_flags |= DONE;
		return 1;
	}
	queue[n].q_flags |= ACTIVE;
	while (fgets(line, sizeof line, fp)) {
		if (--linesleft == 0) {
			putc('\f', lp);
			linesleft = 66;
		}
		fputs(line, lp);
	}
	fclose(fp);
	queue[n].q_flags = DONE;
	return 0;
}

int main(argc, argv)
int argc;
char **argv;
{
	int prio = 5, hold = 0, n;
	struct tm *t;
	time_t now;

	while (--argc > 0 && (*++argv)[0] == '-')
		switch ((*argv)[1]) {
		case 'p': prio = atoi(*++argv); argc--; break;
		case 'h': hold = 1; break;
		case 'r': release(*++argv); return 0;
		case 'd': goto daemon;
		default:
			fprintf(stderr, "spool: bad flag %s\n", *argv);
			return 2;
		}
	for (; argc-- > 0; argv++)
		if (enqueue(*argv, prio, hold) < 0)
			fprintf(stderr, "spool: queue full\n");
daemon:
	time(&now);
	t = localtime(&now);
	agequeue((long)now);
	while ((n = nextjob(t->tm_hour)) >= 0)
		printjob(n, stdout);
	return 0;
}
