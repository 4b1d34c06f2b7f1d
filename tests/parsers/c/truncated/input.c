int first(int a)
{
    if (a) {
        second();
}

int second(void)
{
    return 1;
}

static const int table[] = {
    1,
    2,
