/* Yearly interest on a savings account. */
#include <stdio.h>
#include "terms.h"

#define YEARS 5

struct account {
    int number;
    double amount;
};

static double rate = 0.03;

static double grown(double amount);
extern void report(const struct account *a);

/* Adds one year of interest. */
static double grown(double amount)
{
    return amount * (1.0 + rate);
}

int main(void)
{
    struct account a = { 1, 100.0 };
    int year;

    for (year = 0; year < YEARS; year++)
        a.amount = grown(a.amount);
    report(&a);
    return 0;
}
