/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Geometric means of ratios, by shape, dtype and operator; slow cells; bounds.
 */
#include <math.h>
#include <string.h>

#include "report.h"

#define MEAN_BOUND 0.995
#define PART_BOUND 0.97
enum { CELLS_OF_ONE_SLOW = 50 };

/* What means are made by. */
typedef const char *(*name_function)(const struct result *result);

static const char *shape_name(const struct result *result)
{
    return shapes[result->cell % SHAPES].name;
}

static const char *dtype_name(const struct result *result)
{
    return pairs[result->cell / SHAPES].dtype;
}

static const char *op_name(const struct result *result)
{
    return pairs[result->cell / SHAPES].op;
}

static const char *any_name(const struct result *result)
{
    (void)result;
    return "all";
}

static double middle_ratio(const struct result *result)
{
    return result->ratio[result->measured / 2];
}

bool result_is_below(const struct result *result, double bound)
{
    return result->measured == 0 || result->ratio[result->measured - 1] < bound;
}

/* The mean of the cells that have the same name as `of`. */
static double mean(const struct result *result, int count, name_function name,
                   const struct result *of, int *cells)
{
    double sum = 0;

    *cells = 0;
    for (int k = 0; k < count; k++) {
        if (strcmp(name(&result[k]), name(of)) == 0) {
            sum += log(middle_ratio(&result[k]));
            ++*cells;
        }
    }
    return exp(sum / *cells);
}

static bool is_first_of_name(const struct result *result, int k, name_function name)
{
    for (int j = 0; j < k; j++)
        if (strcmp(name(&result[j]), name(&result[k])) == 0)
            return false;
    return true;
}

/* Print the mean of each name; returns whether all are at least `bound`. */
static bool print_means(FILE *file, const struct result *result, int count,
                        const char *what, name_function name, double bound)
{
    bool pass = true;

    for (int k = 0; k < count; k++) {
        if (!is_first_of_name(result, k, name))
            continue;

        int cells;
        const double ratio = mean(result, count, name, &result[k], &cells);

        fprintf(file, "mean %-8s %-14s %7.3f  of %d%s\n", what, name(&result[k]), ratio,
                cells, ratio < bound ? "  below its bound" : "");
        pass = ratio >= bound && pass;
    }
    return pass;
}

/* Print the cells below a bound; returns their number. */
static int print_slow(FILE *file, const struct result *result, int count, double bound)
{
    int slow = 0;

    for (int k = 0; k < count; k++) {
        if (!result_is_below(&result[k], bound))
            continue;
        slow++;
        fprintf(file, "below %.2f  %-12s %-8s %-14s", bound, op_name(&result[k]),
                dtype_name(&result[k]), shape_name(&result[k]));
        for (int j = 0; j < result[k].measured; j++)
            fprintf(file, " %.3f", result[k].ratio[j]);
        fputc('\n', file);
    }
    return slow;
}

bool report(FILE *file, const struct result *result, int count)
{
    bool pass = print_means(file, result, count, "shape", shape_name, PART_BOUND);

    pass = print_means(file, result, count, "dtype", dtype_name, PART_BOUND) && pass;
    print_means(file, result, count, "operator", op_name, 0);
    pass = print_means(file, result, count, "of", any_name, MEAN_BOUND) && pass;

    const int slow = print_slow(file, result, count, SLOW);
    const int very_slow = print_slow(file, result, count, VERY_SLOW);

    pass = slow * CELLS_OF_ONE_SLOW <= count && very_slow == 0 && pass;
    fprintf(file, "%d cells, %d below %.2f, %d below %.2f: bounds are %s\n", count,
            slow, SLOW, very_slow, VERY_SLOW, pass ? "kept" : "broken");
    return pass;
}

void report_tsv(FILE *file, const struct result *result, int count)
{
    fputs("# operator\tdtype\tshape\tnanoseconds of an element, old\tratio\tratios\n",
          file);
    for (int k = 0; k < count; k++) {
        fprintf(file, "%s\t%s\t%s\t%.5g\t%.4f\t", op_name(&result[k]),
                dtype_name(&result[k]), shape_name(&result[k]), result[k].nanoseconds,
                middle_ratio(&result[k]));
        for (int j = 0; j < result[k].measured; j++)
            fprintf(file, "%s%.4f", j > 0 ? "," : "", result[k].ratio[j]);
        fputc('\n', file);
    }
}

void report_cells(FILE *file, const struct result *result, int count)
{
    for (int k = 0; k < count; k++)
        fprintf(file, "%-12s %-8s %-14s %9.4f  %6.3f\n", op_name(&result[k]),
                dtype_name(&result[k]), shape_name(&result[k]), result[k].nanoseconds,
                middle_ratio(&result[k]));
}
