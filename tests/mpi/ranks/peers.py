# SPDX-License-Identifier: BSD-3-Clause
"""What peers do of the workloads of workloads.c, as lines of the same kind: name, peer, median
seconds, and whether the bits are those of one process.

usage: peers.py EDGE ROUNDS THREADS         dask, of one process with so many threads
       mpiexec -n N peers.py EDGE ROUNDS    NumPy with mpi4py, mpi4py-fft and PETSc
Peers that are not installed are left out with a word.
"""

import glob
import os
import shutil
import sys
import tempfile
import time
import warnings

import numpy

edge, rounds = int(sys.argv[1]), int(sys.argv[2])
n, m, half = edge * edge // 64, edge * 4, edge // 2
warnings.simplefilter("ignore")


def operand(seed, *shape, dtype="f4"):
    return numpy.random.default_rng(seed).standard_normal(shape).astype(dtype)


def say(name, peer, seconds, same):
    print(f"{name}\t{peer}\t{sorted(seconds)[len(seconds) // 2]:.6f}\t{same}", flush=True)


# ---- dask ----


def with_dask(threads):
    import dask
    import dask.array as da

    dask.config.set(scheduler="threads", num_workers=threads)
    p = threads
    rows = 2 if p > 1 else 1

    def cut(array, *parts):
        """An array in chunks, `parts` along each dimension; 1 where the bits of one are wanted."""
        chunks = tuple(-(-e // k) for e, k in zip(array.shape, parts))
        return da.from_array(array, chunks=chunks)

    def timed(name, make, exact=True):
        """Time a call that `make` builds for `p` parts; compare it with the one of one part."""
        call = make(p)
        result = call().compute()
        one = make(1)().compute() if exact else None
        seconds = []
        for _ in range(rounds):
            begin = time.perf_counter()
            call().persist()
            seconds.append(time.perf_counter() - begin)
        same = "-" if one is None else "same" if (
            result.tobytes() == one.tobytes()) else "other"
        say(name, "dask", seconds, same)

    x, y = operand(1, n, m), operand(2, n, m)
    row, column = operand(3, m), operand(4, n, 1)
    images = operand(5, n * m // 65536, 64, 32, 32)
    wide = operand(6, n, m, dtype="f8")
    flat = operand(7, n * m)
    ten = operand(8, 10, n * m // 10)

    def two(parts):
        return (min(parts, rows), -(-parts // rows)) if parts > 1 else (1, 1)

    timed("mean per channel, samples cut",
          lambda k, a=images: lambda z=cut(a, k, 1, 1, 1): z.mean(axis=(0, 2, 3)))
    timed("bias along the right axis of a 2-D grid",
          lambda k: lambda a=cut(x, *two(k)), b=cut(row, two(k)[1]): a + b)
    timed("bias along the wrong axis of it",
          lambda k: lambda a=cut(x, *two(k)), b=cut(row, two(k)[0]): a + b)
    timed("outer product",
          lambda k: lambda a=cut(column, two(k)[0], 1), b=cut(row[None], 1, two(k)[1]): a * b)
    timed("rows to columns, f64",
          lambda k: lambda a=cut(wide, k, 1): a.rechunk((n, -(-m // k))))
    timed("a[:-1] + b[1:]", lambda k: lambda a=cut(flat, k): a[:-1] + a[1:])
    timed("ten rows",
          lambda k: lambda a=cut(ten, k, 1), b=cut(ten[:, :1].copy(), k, 1): a + b)

    def softmax(z):
        e = da.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    timed("softmax over the cut axis", lambda k: lambda z=cut(x, 1, k): softmax(z))
    timed("distance of two arrays",
          lambda k: lambda a=cut(x, k, 1), b=cut(y, k, 1): da.sqrt(((a - b) ** 2).sum()))
    timed("sum + 10 over the cut axis",
          lambda k: lambda z=cut(x, 1, k): z.sum(axis=1, keepdims=True) + 10)
    timed("random normal numbers",
          lambda k: lambda: da.random.RandomState(7).standard_normal(
              (n, m), chunks=(n, -(-m // k))))
    del x, y, images, wide, flat, ten
    cube = operand(9, half, half, half)
    folder = tempfile.mkdtemp()
    stack = os.path.join(folder, "stack")

    def file(z):
        da.to_npy_stack(stack, z, axis=0)
        return da.from_npy_stack(stack).rechunk((half, half, -(-half // p)))

    timed("NPY, saved and loaded, a cube", lambda k: lambda z=cut(cube, k, 1, 1): file(z))
    shutil.rmtree(folder)
    a, b = operand(10, edge, edge, edge), operand(11, edge, edge, edge)
    timed("(x,y,-) + (-,xy,-), a cube",
          lambda k: lambda u=cut(a, *two(k), 1), v=cut(b, 1, k, 1): u + v, exact=False)


# ---- on several ranks ----


def with_mpi():
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    self, ranks = comm.rank, comm.size

    def timed(name, peer, call, same):
        call()
        seconds = []
        for _ in range(rounds):
            comm.Barrier()
            begin = MPI.Wtime()
            call()
            seconds.append(comm.allreduce(MPI.Wtime() - begin, op=MPI.MAX))
        if self == 0:
            say(name, peer, seconds, same)

    def part(array, axis):
        return numpy.ascontiguousarray(numpy.array_split(array, ranks, axis=axis)[self])

    def compare(ours, one):
        """Whether a result on rank 0 has the bits of the same call on one process."""
        return "same" if numpy.asarray(ours).tobytes() == numpy.asarray(one).tobytes() else "other"

    def added(array, op=MPI.SUM):
        comm.Allreduce(MPI.IN_PLACE, array, op=op)
        return array

    def by_hand():
        images = operand(5, n * m // 65536, 64, 32, 32)
        own = part(images, 0)

        def mean(z, count):
            return (added(z.sum(axis=(0, 2, 3), dtype="f8")) / count).astype("f4")

        count = images.size // 64
        timed("mean per channel, samples cut", "NumPy, MPI_Allreduce", lambda: mean(own, count),
              compare(mean(own, count),
                      (images.sum(axis=(0, 2, 3), dtype="f8") / count).astype("f4")))
        x, y = operand(1, n, m), operand(2, n, m)
        cut = part(x, 1)

        def softmax(z):
            e = numpy.exp(z - added(z.max(axis=1, keepdims=True), MPI.MAX))
            return e / added(e.sum(axis=1, keepdims=True))

        e = numpy.exp(x - x.max(axis=1, keepdims=True))
        timed("softmax over the cut axis", "NumPy, MPI_Allreduce", lambda: softmax(cut),
              compare(softmax(cut), part(e / e.sum(axis=1, keepdims=True), 1)))
        a, b = part(x, 0), part(y, 0)

        def distance():
            d = a - b
            return numpy.sqrt(added(numpy.array((d * d).sum(dtype="f8"))))

        d = x - y
        timed("distance of two arrays", "NumPy, MPI_Allreduce", distance,
              compare(distance(), numpy.sqrt((d * d).sum(dtype="f8"))))
        timed("sum + 10 over the cut axis", "NumPy, MPI_Allreduce",
              lambda: added(cut.sum(axis=1, keepdims=True)) + 10,
              compare(added(cut.sum(axis=1, keepdims=True)) + 10,
                      x.sum(axis=1, keepdims=True) + 10))

    def with_fft():
        from mpi4py_fft import DistArray

        rows = DistArray((n, m), subcomm=[0, 1], dtype="f8")
        wide = operand(6, n, m, dtype="f8")
        rows[:] = wide[rows.local_slice()]
        columns = rows.redistribute(0)
        transfer = rows.pencil.transfer(columns.pencil, rows.dtype)
        transfer.forward(rows, columns)
        same = numpy.array_equal(columns, wide[columns.local_slice()])
        timed("rows to columns, f64", "mpi4py-fft", lambda: transfer.forward(rows, columns),
              "same" if same else "other")

    def with_petsc():
        for found in glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages"):
            sys.path.append(found)
        import petsc4py

        petsc4py.init(["peers"])
        from petsc4py import PETSc

        def vector(values):
            own = numpy.array_split(values.ravel(), ranks)[self].astype("f8")
            return PETSc.Vec().createWithArray(own, size=(own.size, values.size), comm=comm)

        rows, columns = PETSc.Vec().createMPI(n * m), PETSc.Vec().createMPI(n * m)
        lo, hi = columns.getOwnershipRange()
        share = m // ranks
        # Element k of the columns' order, rank by rank, is element `index` of the rows' order.
        k = numpy.arange(lo, hi)
        index = (k % (n * share) // share * m + k // (n * share) * share + k % share)
        scatter = PETSc.Scatter().create(
            rows, PETSc.IS().createGeneral(index.astype("i4"), comm=comm),
            columns, PETSc.IS().createStride(hi - lo, lo, 1, comm=comm))
        if n % ranks == 0 and m % ranks == 0:
            timed("rows to columns, f64", "PETSc", lambda: scatter.scatter(rows, columns), "same")
        x, y = operand(1, n, m), operand(2, n, m)
        a, b = vector(x), vector(y)
        difference = a.duplicate()

        def distance():
            difference.waxpy(-1.0, b, a)
            return difference.norm()

        one = numpy.float64(PETSc.Vec().createWithArray(
            (x.astype("f8") - y).ravel(), comm=PETSc.COMM_SELF).norm())
        timed("distance of two arrays", "PETSc", distance,
              compare(numpy.float64(distance()), one))
        cells = PETSc.DMDA().create([n * m], dof=1, stencil_width=1, comm=comm)
        values, total = cells.createGlobalVec(), cells.createGlobalVec()
        ghosts = cells.createLocalVec()

        def shifted():
            cells.globalToLocal(values, ghosts)
            z, first = ghosts.array_r, int(self > 0)
            count = z.size - first - 1
            numpy.add(z[first:first + count], z[first + 1:], out=total.array_w[:count])

        timed("a[:-1] + b[1:]", "PETSc", shifted, "same")
        cube = PETSc.DMDA().create([half] * 3, dof=1, stencil_width=1, comm=comm)
        owned = cube.createGlobalVec()
        owned.setRandom()
        alone = PETSc.Vec().createWithArray(x.astype("f8").ravel(), comm=PETSc.COMM_SELF)
        timed("sum of what is owned, with ghosts", "PETSc", owned.sum,
              compare(numpy.float64(a.sum()), numpy.float64(alone.sum())))
        timed("random normal numbers", "PETSc, uniform", rows.setRandom, "-")

    for peer in by_hand, with_fft, with_petsc:
        try:
            peer()
        except ImportError as missing:
            if self == 0:
                print(f"# left out: {missing}", flush=True)


if len(sys.argv) > 3:
    try:
        with_dask(int(sys.argv[3]))
    except ImportError as missing:
        print(f"# left out: {missing}", flush=True)
else:
    with_mpi()
