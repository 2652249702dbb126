# SPDX-License-Identifier: BSD-3-Clause
# The library and the programs of this folder, by one MPI, in the current folder: called by
# tests/mpi/ranks.t.sh with SOURCE, HERE (the build), SOURCES (the library's), PROGRAMS, TOOL (the
# tool's sources), and MPI's FLAGS and LIBS.  Allocations of the library are the programs' (world.c).

VPATH = $(SOURCE)
all: $(PROGRAMS)
lib/mpi/entry/npy_save.o: FLAGS += -DBLI_ROUND=16384 # several for small files

compile = $(CC) -std=gnu11 -D_GNU_SOURCE $(CFLAGS) -O1 $(OPENMP_CFLAGS) -fPIC -I$(HERE)/include \
	-I$(SOURCE)/include -I$(SOURCE)/lib -I$(SOURCE)/tests $(FLAGS)
TOOL_OBJECTS = $(patsubst %.c,%.o,$(filter %.c,$(TOOL)))
OBJECTS = $(patsubst %.c,%.o,$(filter %.c,$(SOURCES)))
SHARED = world.o tensors.o

libbroadloom-mpi.so: $(OBJECTS) libbroadloom-mpi.map
	$(CC) $(CFLAGS) -shared -o $@ $(OBJECTS) -Wl,--version-script=libbroadloom-mpi.map \
	    -Wl,--wrap=malloc,--wrap=calloc -Wl,-soname,$@ -L$(HERE)/lib/.libs -lbroadloom $(LIBS)
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
seats: seats.o lib/mpi/entry/threads.o
	$(CC) $(CFLAGS) $(OPENMP_CFLAGS) -o $@ $^ $(HERE)/tests/harness/.libs/libharness.a \
	    -L$(HERE)/lib/.libs -lbroadloom -Wl,-rpath,$(HERE)/lib/.libs -lm
broadloom-mpi: $(TOOL_OBJECTS) $(OBJECTS)
	$(CC) $(CFLAGS) $(OPENMP_CFLAGS) -o $@ $^ \
	    -L$(HERE)/lib/.libs -lbroadloom $(LIBS) -Wl,-rpath,$(CURDIR) -Wl,-rpath,$(HERE)/lib/.libs -lm
faults: fault_calls.o
$(filter-out seats broadloom-mpi,$(PROGRAMS)): %: %.o $(SHARED) libbroadloom-mpi.so
	$(CC) $(CFLAGS) $(OPENMP_CFLAGS) -o $@ $(filter %.o,$^) $(HERE)/tests/harness/.libs/libharness.a \
	    -L. -lbroadloom-mpi -L$(HERE)/lib/.libs -lbroadloom $(LIBS) \
	    -Wl,-rpath,$(CURDIR) -Wl,-rpath,$(HERE)/lib/.libs -lm
