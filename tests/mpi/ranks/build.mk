# SPDX-License-Identifier: BSD-3-Clause
# The library and the programs of this folder, by one MPI, in the current folder: called by
# tests/mpi/ranks.t.sh with SOURCE, HERE (the build), SOURCES (the library's), PROGRAMS, TOOL (the
# tool's sources), MPI's FLAGS and LIBS, PIECES for a window of small pieces and for small tiles,
# and SIMULATED for SimGrid's ranks.  Allocations and executions of the library are the programs'
# (world.c).

VPATH = $(SOURCE)
all: $(PROGRAMS)
lib/mpi/entry/npy_save.o: small = -DBLI_ROUND=16384 # several for small files
lib/mpi/carry/shared.o lib/mpi/carry/stream.o: small = $(PIECES)
lib/mpi/spread/tiles.o: small = $(PIECES)

compile = $(CC) -std=gnu11 -D_GNU_SOURCE $(CFLAGS) -O1 $(OPENMP_CFLAGS) -fPIC -I$(HERE)/include \
	-I$(SOURCE)/include -I$(SOURCE)/lib -I$(SOURCE)/tests $(FLAGS) $(small)
TOOL_OBJECTS = $(patsubst %.c,%.o,$(filter %.c,$(TOOL)))
OBJECTS = $(patsubst %.c,%.o,$(filter %.c,$(SOURCES)))
WRAP = -Wl,--wrap=malloc,--wrap=calloc,--wrap=bl_plan_begin,--wrap=bl_plan_finish
SHARED = world.o tensors.o $(if $(SIMULATED),simulated.o,nodes.o yield.o)

libbroadloom-mpi.so: $(OBJECTS) libbroadloom-mpi.map
	$(CC) $(CFLAGS) -shared -o $@ $(OBJECTS) -Wl,--version-script=libbroadloom-mpi.map \
	    $(WRAP) -Wl,-soname,$@ -L$(HERE)/lib/.libs -lbroadloom $(LIBS)
lib/%.o: lib/%.c
	@mkdir -p $(@D)
	$(compile) -fvisibility=hidden -c -o $@ $<
tools/%.o: tools/%.c
	@mkdir -p $(@D)
	$(compile) -I$(SOURCE)/tools/broadloom -c -o $@ $<
%.o: tests/examples/%.c
	$(compile) -c -o $@ $<
%.o: tests/mpi/ranks/%.c
	$(compile) -c -o $@ $<
faults: fault_calls.o
reductions: pairs.o
workloads: workload_calls.o workload_sums.o
libharness = $(HERE)/tests/harness/.libs/libharness.a
libbroadloom = -L$(HERE)/lib/.libs -lbroadloom $(LIBS) -Wl,-rpath,$(HERE)/lib/.libs -lm

ifeq ($(SIMULATED),)
seats: seats.o lib/mpi/entry/threads.o
	$(CC) $(CFLAGS) $(OPENMP_CFLAGS) -o $@ $^ $(libharness) $(libbroadloom)
broadloom-mpi: $(TOOL_OBJECTS) $(OBJECTS) nodes.o yield.o
	$(CC) $(CFLAGS) $(OPENMP_CFLAGS) -o $@ $^ -Wl,-rpath,$(CURDIR) $(libbroadloom)
# Ranks that are measured have processors of their own, and wait as their MPI does.
local speed workloads: %: %.o $(OBJECTS)
	$(CC) $(CFLAGS) $(OPENMP_CFLAGS) -o $@ $^ $(libharness) $(libbroadloom)
$(filter-out seats local speed workloads broadloom-mpi,$(PROGRAMS)): %: %.o $(SHARED) libbroadloom-mpi.so
	$(CC) $(CFLAGS) $(OPENMP_CFLAGS) -o $@ $(filter %.o,$^) $(libharness) \
	    -L. -lbroadloom-mpi -Wl,-rpath,$(CURDIR) $(libbroadloom)
else
# SimGrid loads a copy of the program for each rank, which has variables of its own: the
# library is a part of it.
$(PROGRAMS): %: %.o $(SHARED) library.o
	$(CC) $(CFLAGS) $(OPENMP_CFLAGS) -shared -Wl,-Bsymbolic -o $@ $(filter %.o,$^) \
	    $(libharness) $(libbroadloom)
library.o: $(OBJECTS)
	$(CC) -r -nostdlib $(WRAP) -o $@ $^
endif
