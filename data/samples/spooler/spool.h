/* spool.h - print spooler, common declarations.  rj 3/84 */
#define MAXQ	64
#define NAMLEN	14
#define SPDIR	"/usr/spool/rpt"
#define HELD	1
#define ACTIVE	2
#define DONE	4

struct qent {
	char	q_name[NAMLEN];		/* file in SPDIR */
	char	q_user[9];
	int	q_prio;			/* 0 is best, 9 is worst */
	int	q_pages;
	int	q_flags;
	long	q_when;			/* seconds, local clock */
};

extern struct qent queue[];
extern int nqueue;
extern char *getuser();
