/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the speed of two builds of the library in one process, cell by cell.  The
 * exit status is 1 where a bound is broken (report.h), 2 where nothing was measured.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "report.h"

enum { ROUNDS = 7, ROUNDS_AGAIN = 15, THREADS = 2, ERROR = 2 };

static const char usage[] =
    "usage: bench_pair [option]... OLD NEW, two builds' libbroadloom.so.1\n"
    "  --op NAME,...     these operators alone\n"
    "  --dtype NAME,...  these dtypes alone\n"
    "  --shape NAME,...  these shapes alone\n"
    "  --rounds N        rounds of a cell; 7\n"
    "  --threads N       threads of large cells; 2\n"
    "  --tsv FILE        write the ratios of all cells there, too\n"
    "BROADLOOM_ISA is the instruction set of both.\n";

static struct settings {
    const char *op, *dtype, *shape, *tsv; /* NULL: all, none */
    const char *path[LIBRARIES];
    int rounds;
    int threads;
} settings = {.rounds = ROUNDS, .threads = THREADS};

/* Whether a list of names separated by commas, or NULL for all, has this name. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    while (list != NULL && *list != '\0') {
        const size_t next = strcspn(list, ",");

        if (next == length && strncmp(list, name, length) == 0)
            return true;
        list += next + (list[next] == ',');
    }
    return list == NULL;
}

static bool read_number(const char *text, int most, int *number)
{
    char *end;
    const long value = strtol(text, &end, 10);

    *number = (int)value;
    return *end == '\0' && value >= 1 && value <= most;
}

static bool read_arguments(int argc, char **argv)
{
    static const struct option options[] = {{"op", required_argument, NULL, 'o'},
                                            {"dtype", required_argument, NULL, 'd'},
                                            {"shape", required_argument, NULL, 's'},
                                            {"rounds", required_argument, NULL, 'r'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"tsv", required_argument, NULL, 'f'},
                                            {NULL, 0, NULL, 0}};
    bool pass = true;
    int letter;

    while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (letter) {
        case 'o':
            settings.op = optarg;
            break;
        case 'd':
            settings.dtype = optarg;
            break;
        case 's':
            settings.shape = optarg;
            break;
        case 'f':
            settings.tsv = optarg;
            break;
        case 'r':
            pass = read_number(optarg, MAX_ROUNDS, &settings.rounds) && pass;
            break;
        case 't':
            pass = read_number(optarg, 1024, &settings.threads) && pass;
            break;
        default:
            pass = false;
        }
    }
    if (!pass || argc - optind != LIBRARIES) {
        fputs(usage, stderr);
        return false;
    }
    settings.path[OLD] = argv[optind];
    settings.path[NEW] = argv[optind + 1];
    return true;
}

/* What was compared, on which processor. */
static void print_head(const struct library *library)
{
    char line[256], processor[256] = "unknown";
    FILE *const file = fopen("/proc/cpuinfo", "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "model name : %255[^\n]", processor) == 1)
            break;
    if (file != NULL)
        fclose(file);
    printf(
        "# old %s, %s, new %s, %s; %s; %d rounds, %d threads where large; nanoseconds "
        "of an element, old; speed, new to old\n",
        library[OLD].version(), library[OLD].context_isa(NULL), library[NEW].version(),
        library[NEW].context_isa(NULL), processor, settings.rounds, settings.threads);
}

static int compare(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;

    return (a > b) - (a < b);
}

static bool measure_cell(const struct operation *operation, struct result *result)
{
    struct measurement measured;
    bool pass = measure(operation, settings.rounds, &measured);

    result->nanoseconds = measured.nanoseconds;
    result->ratio[result->measured++] = measured.ratio;
    while (pass && result->ratio[0] < SLOW && result->measured < REPEATS) {
        pass = measure(operation, ROUNDS_AGAIN, &measured);
        result->ratio[result->measured++] = measured.ratio;
    }
    qsort(result->ratio, (size_t)result->measured, sizeof result->ratio[0], compare);
    printf("%-12s %-8s %-14s %9.4f  %6.3f\n", result->pair->op, result->pair->dtype,
           result->shape->name, result->nanoseconds, result_ratio(result));
    fflush(stdout);
    return pass;
}

/* Measure the chosen cells; returns how many, or -1 for an error. */
static int measure_all(const struct library *library, struct result *result)
{
    struct operation operation;
    int count = 0;

    for (int k = 0; k < pair_count * SHAPES; k++) {
        const struct pair *const pair = &pairs[k / SHAPES];
        const struct shape *const shape = &shapes[k % SHAPES];

        if (!is_listed(settings.op, pair->op) ||
            !is_listed(settings.dtype, pair->dtype) ||
            !is_listed(settings.shape, shape->name) ||
            !operation_exists(library, pair, shape))
            continue;
        result[count] = (struct result){.pair = pair, .shape = shape};
        if (!operation_begin(library, pair, shape, &operation))
            return -1;

        const bool pass = measure_cell(&operation, &result[count++]);

        operation_end(&operation);
        if (!pass)
            return -1;
    }
    return count;
}

int main(int argc, char **argv)
{
    static struct library library[LIBRARIES];

    if (!read_arguments(argc, argv))
        return ERROR;
    for (int which = 0; which < LIBRARIES; which++)
        if (!library_open(settings.path[which], settings.threads, &library[which]))
            return ERROR;
    print_head(library);

    struct result *const result = calloc((size_t)pair_count * SHAPES, sizeof *result);
    const int count = result != NULL ? measure_all(library, result) : -1;
    bool pass = count > 0 && report(stdout, result, count);

    if (count <= 0)
        fputs("bench_pair: nothing was measured\n", stderr);
    if (count > 0 && settings.tsv != NULL) {
        FILE *const file = fopen(settings.tsv, "w");

        if (file != NULL)
            report_tsv(file, result, count);
        if (file == NULL || fclose(file) != 0) {
            perror(settings.tsv);
            pass = false;
        }
    }
    free(result);
    return count <= 0 ? ERROR : !pass;
}
