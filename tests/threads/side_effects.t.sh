#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library uses no more threads than its environment permits: an affinity mask, a quota,
# OpenMP's variables, a region around the call, a fork; it reports the limit, and every
# result is right.  tests/threads/guest_app.c is the application.

. "${srcdir:-.}/tests/harness/tap.sh"
build=${top_builddir:-.}
caller=$build/tests/threads/guest_app
unset BROADLOOM_NUM_THREADS BROADLOOM_BIND BROADLOOM_NESTED OMP_NUM_THREADS OMP_PLACES \
    OMP_PROC_BIND OMP_THREAD_LIMIT OMP_DYNAMIC OMP_MAX_ACTIVE_LEVELS HWLOC_SYNTHETIC \
    HWLOC_XMLFILE
OMP_WAIT_POLICY=passive
BROADLOOM_REGION_NS=1
export OMP_WAIT_POLICY BROADLOOM_REGION_NS

# says PATTERN NAME COMMAND...: status 0, and a line that is like the pattern.
says() {
    pattern=$1 name=$2
    shift 2
    timeout 60 "$@" > "$work/said" 2>&1 && grep -q -x "$pattern" "$work/said"
    passed=$?
    tap_ok $passed "$name"
    [ $passed -eq 0 ] || { echo "expected: $pattern" && cat "$work/said"; } | tap_note
}

processors=$(nproc)

# ---- what the process may use ----

first=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
if taskset -c "$first" true 2> /dev/null; then
    says 'team 1 (affinity mask), used 1, grew 0, right' \
        "one processor in the mask: one thread" taskset -c "$first" "$caller" plain
    says 'team 1 (affinity mask), used 1, grew 0, right' \
        "and OMP_NUM_THREADS asks for more" \
        env OMP_NUM_THREADS=8 taskset -c "$first" "$caller" plain
    says 'team  *1 thread.*mask.*' "broadloom topo says why" \
        taskset -c "$first" "$tool" topo
else
    tap_skip "one processor in the mask" "no taskset here"
fi
says 'team 1 (OpenMP.*), used 1, grew 0, right' "OMP_NUM_THREADS=1" \
    env OMP_NUM_THREADS=1 "$caller" plain
says 'team 1 (OpenMP.*), used 1, grew 0, right' "OMP_THREAD_LIMIT=1" \
    env OMP_NUM_THREADS=8 OMP_THREAD_LIMIT=1 "$caller" plain
says 'team  *1 thread.*OpenMP.*' "broadloom topo says why" \
    env OMP_THREAD_LIMIT=1 "$tool" topo
says 'team 1 (.*context.*), used 1, grew 0, right' "BROADLOOM_NUM_THREADS=1" \
    env OMP_NUM_THREADS=8 BROADLOOM_NUM_THREADS=1 "$caller" plain
# One of them may have taken another's share.
says 'team 3 (.*context.*), used [23], grew 2, right' "BROADLOOM_NUM_THREADS=3" \
    env OMP_NUM_THREADS=8 BROADLOOM_NUM_THREADS=3 "$caller" plain
says 'team 8 (.*), used [0-9]*, grew [0-9]*, right' \
    "OMP_DYNAMIC=true: a team that OpenMP cuts short does all of the work" \
    env OMP_NUM_THREADS=8 BROADLOOM_NUM_THREADS=8 OMP_DYNAMIC=true "$caller" plain
# The placement of memory may leave a thread of the team without work.
says "team $processors (.*), used [0-9]*, grew $((processors - 1)), right" \
    "nothing set: a thread for each processor" "$caller" plain
says "team $processors (.*), used [0-9]*, grew $((processors - 1)), right" \
    "bound by OpenMP, the places count" \
    env OMP_PROC_BIND=close OMP_PLACES=threads "$caller" plain
says "team $processors (.*), used [0-9]*, grew $((processors - 1)), right" \
    "bound by the library" "$caller" bound

# A group of our own with one limit, where this process may make one, in version 2 and
# version 1 of control groups; the threads that it leaves, and why.
group() { # FOLDER FILE TEXT THREADS WHY NAME
    group=$1/broadloom-$$
    if mkdir "$group" 2> /dev/null && [ -e "$group/$2" ] && echo "$3" > "$group/$2"; then
        says "team $4 (.*$5.*), used $4, grew $(($4 - 1)), right" "$6: $2" \
            sh -c "echo \$\$ > $group/cgroup.procs; exec $caller plain"
        says "team  *$4 thread.*$5.*" "broadloom topo says why" \
            sh -c "echo \$\$ > $group/cgroup.procs; exec $tool topo"
    else
        tap_skip "$6: $2" "no such group can be made here"
    fi
    [ ! -d "$group" ] || rmdir "$group"
}
name="a control group with the time of one processor"
group /sys/fs/cgroup cpu.max '100000 100000' 1 quota "$name"
group /sys/fs/cgroup/cpu cpu.cfs_quota_us 100000 1 quota "$name"
name="a control group of three tasks"
OMP_NUM_THREADS=8 BROADLOOM_NUM_THREADS=8
export OMP_NUM_THREADS BROADLOOM_NUM_THREADS
group /sys/fs/cgroup pids.max 3 3 "system's limits" "$name"
group /sys/fs/cgroup/pids pids.max 3 3 "system's limits" "$name"
unset OMP_NUM_THREADS BROADLOOM_NUM_THREADS

# ---- inside the caller's own parallelism ----

says 'team .*, used 1, grew 0, right' "a call in a region stays on its thread" \
    env OMP_NUM_THREADS=8 "$caller" region
says 'team .*, used 1, grew 0, right' "a context alone does not allow nesting" \
    env OMP_NUM_THREADS=8 OMP_MAX_ACTIVE_LEVELS=1 "$caller" nested
says 'team .*, used 1, grew 0, right' "OpenMP alone does not allow nesting" \
    env OMP_NUM_THREADS=8 OMP_MAX_ACTIVE_LEVELS=2 "$caller" region
if [ "$processors" -gt 1 ]; then
    says 'team .*, used [2-9].*, right' "both together do" \
        env OMP_MAX_ACTIVE_LEVELS=2 "$caller" nested
else
    tap_skip "both together do" "one processor"
fi
says 'team .*, used 0, grew 0, right' "parts of a plan on the caller's team" \
    env OMP_NUM_THREADS=8 "$caller" parts
says 'team 1 (.*fork.*), used 1, grew 0, right' "a forked child works alone" \
    env OMP_NUM_THREADS=8 BROADLOOM_NUM_THREADS=4 "$caller" fork
says 'team 1 (.*fork.*), used 1, grew 0, right' \
    "and where its first call comes after the application's own team and the fork" \
    env OMP_NUM_THREADS=8 BROADLOOM_NUM_THREADS=4 "$caller" child

# ---- two OpenMP runtimes in one process ----

library=$build/lib/.libs/libbroadloom.so
if [ ! -e "$library" ]; then
    tap_skip "an application with another OpenMP runtime" "built without a shared library"
elif ! clang -std=c11 -O1 -fopenmp $headers -o "$work/caller" \
    "${srcdir:-.}/tests/threads/guest_app.c" "$library" > "$work/log" 2>&1; then
    tap_skip "an application with another OpenMP runtime" "no clang with OpenMP"
else
    LD_LIBRARY_PATH=$build/lib/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    ldd "$work/caller" | grep -c -E 'libg?omp\.so' > "$work/runtimes"
    [ "$(cat "$work/runtimes")" -eq 2 ]
    tap_ok $? "an application with another OpenMP runtime than the library's"
    for way in plain bound region parts fork; do
        says 'team .*, right' "its call: $way" env OMP_NUM_THREADS=4 "$work/caller" $way
    done

    # Clang's libomp has the functions of GCC's libgomp, too: the first that the dynamic
    # linker finds is the library's runtime, and the other's regions are invisible.
    OMP_NUM_THREADS=4 BROADLOOM_NUM_THREADS=4
    export OMP_NUM_THREADS BROADLOOM_NUM_THREADS
    if ldd "$library" | grep -q libgomp; then
        says 'team .*, used 1, .*, right' "libomp is found first: its regions are seen" \
            "$work/caller" region
        says 'team .*, used [2-4], .*, right' "libgomp is found first: they are not" \
            env LD_PRELOAD=libgomp.so.1 "$work/caller" region
        # A program without OpenMP that opens libraries: FILE... WAY.
        cat > "$work/open.c" << 'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
    void *last = 0;
    for (int k = 1; k < argc - 1; k++)
        if (!(last = dlopen(argv[k], RTLD_NOW | RTLD_LOCAL)))
            return 3;
    return ((int (*)(int, char **))dlsym(last, "run"))(2, argv + argc - 2);
}
END
        ${CC:-cc} -o "$work/open" "$work/open.c" -ldl &&
            clang -std=c11 -O1 -fopenmp -shared -fPIC -Dmain=run -o "$work/plugin.so" \
                $headers "${srcdir:-.}/tests/threads/guest_app.c" "$library"
        tap_ok $? "a plugin with libomp for a program without OpenMP"
        says 'team .*, used 1, .*, right' "opened with the library: its regions are seen" \
            "$work/open" "$work/plugin.so" region
        says 'team .*, used [2-4], .*, right' "opened after the library: they are not" \
            "$work/open" "$library" "$work/plugin.so" region
    else
        tap_skip "which runtime's regions are seen" "the library's runtime is libomp"
    fi
    unset OMP_NUM_THREADS BROADLOOM_NUM_THREADS

    omp=$(ldd "$work/caller" | sed -n 's/.*=> \(.*libomp[^ ]*\) .*/\1/p')
    for limit in 'space 3 8' 'data 0 16' 'user 5 16'; do
        # shellcheck disable=SC2086 # words
        env OMP_NUM_THREADS=16 LD_PRELOAD="$omp" "$build/tests/threads/thread_limits.t" $limit > "$work/said" 2>&1
        tap_ok $? "libomp where the system grants fewer threads: $limit"
    done
fi
tap_done
