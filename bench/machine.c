/* machine.c - what measurements were made on and with. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

void bench_cpu(char *name, size_t size)
{
    char line[300];
    snprintf(name, size, "%s", "");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value += strspn(value, ": ");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (file)
        fclose(file);
}

const char *bench_compiler(void)
{
    return LIMBER_COMPILER;
}

const char *bench_flags(void)
{
    return LIMBER_FLAGS;
}
