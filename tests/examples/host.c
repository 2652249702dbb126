/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with plug-ins: it opens one, calls it, closes it and opens it again.  To
 * load the library starts no thread, and it stays loaded, so that its threads never run
 * code that is gone.  What it refuses comes back as a message.
 *
 *     cc -O2 -o host host.c -ldl
 *     ./host ./plugin.so
 */
#include <dlfcn.h>
#include <stdio.h>

typedef const char *center_function(double *x, long rows, long columns, double *mean,
                                    long means);

static int use(const char *path)
{
    double x[3][2] = {{1, 10}, {2, 20}, {6, 60}}, mean[3];
    void *const plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    center_function *center = NULL;
    const char *message;

    if (plugin != NULL)
        *(void **)&center = dlsym(plugin, "center");
    if (center == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    message = center(*x, 3, 2, mean, 2);
    if (message != NULL)
        printf("refused: %s\n", message);
    else
        printf("means %g %g, first row %g %g\n", mean[0], mean[1], x[0][0], x[0][1]);
    message = center(*x, 3, 2, mean, 3); /* two columns have no three means */
    if (message != NULL)
        printf("refused: %s\n", message);
    return dlclose(plugin);
}

int main(int count, char **arguments)
{
    for (int times = 0; count == 2 && times < 2; times++)
        if (use(arguments[1]) != 0)
            return 1;
    return count != 2;
}
