/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices and vectors, for tensors of one type.
 */

/*
 * A matrix as a BLAS takes it: as it is, transposed (*trans is 't'), or as a copy,
 * which is at *copy then, to be freed.
 */
static struct matrix THTensor_(taken)(struct matrix a, char *trans, long *lead,
                                      real **copy)
{
    const real *const from = a.data;

    *trans = 'n';
    *copy = NULL;
    *lead = leading(a);
    if (*lead)
        return a;
    *trans = 't';
    *lead = leading(transposed(a));
    if (*lead)
        return a;
    *trans = 'n';
    *lead = a.size[0];
    *copy = THAlloc((ptrdiff_t)sizeof(real) * a.size[0] * a.size[1]);
    for (long j = 0; j < a.size[1]; j++)
        for (long i = 0; i < a.size[0]; i++)
            (*copy)[j * a.size[0] + i] = from[i * a.step[0] + j * a.step[1]];
    return (struct matrix){*copy, {a.size[0], a.size[1]}, {1, a.size[0]}};
}

/* c = beta * c + alpha * a * b, where c or its transpose has contiguous columns. */
static void THTensor_(multiply)(struct matrix c, real beta, real alpha, struct matrix a,
                                struct matrix b)
{
    char trans_a, trans_b;
    long lda, ldb;
    real *copy_a, *copy_b = NULL;

    /* One row is one column of the transpose: a vector with any step. */
    if (c.size[1] != 1 && (c.size[0] == 1 || !leading(c))) {
        THTensor_(multiply)(transposed(c), beta, alpha, transposed(b), transposed(a));
        return;
    }
    a = THTensor_(taken)(a, &trans_a, &lda, &copy_a);
    if (c.size[1] == 1) {
        const bool turned = trans_a == 't';

        if (b.size[0] == 1)
            b.step[0] = 1;
        else if (b.step[0] < 1)
            b = THTensor_(taken)(b, &trans_b, &ldb, &copy_b);
        THBlas_(gemv)(trans_a, a.size[turned], a.size[!turned], alpha, a.data, lda,
                      b.data, b.step[0], beta, c.data, c.size[0] == 1 ? 1 : c.step[0]);
    } else {
        b = THTensor_(taken)(b, &trans_b, &ldb, &copy_b);
        THBlas_(gemm)(trans_a, trans_b, c.size[0], c.size[1], a.size[1], alpha, a.data,
                      lda, b.data, ldb, beta, c.data, leading(c));
    }
    THFree(copy_b);
    THFree(copy_a);
}

/* The matrix as an array, which borrows it. */
static bl_array THTensor_(ofMatrix)(const struct matrix *m)
{
    return (bl_array){
        m->data, TH_DTYPE, 2, (const int64_t *)m->size, (const int64_t *)m->step, 0};
}

/* The product of matrices and tensors. */
static void THTensor_(product)(struct matrix c, real beta, real alpha, struct matrix a,
                               struct matrix b)
{
    const bl_array out = THTensor_(ofMatrix)(&c), left = THTensor_(ofMatrix)(&a);
    const bl_array right = THTensor_(ofMatrix)(&b);
    const bl_array *const in[] = {&left, &right, &out};

    THTensor_(multiply)(c, beta, alpha, a, b);
    th_carry(&out, beta == 0 ? 2 : 3, in);
}

/* Whether the result, once it has the shape of `t`, may share memory with an operand.
 */
static bool THTensor_(shares)(THTensor *r_, THTensor *t, THTensor *operand)
{
    const bl_array result = TH_ARRAY(r_), array = TH_ARRAY(operand);

    if (!THTensor_(isSameSizeAs)(r_, t))
        return r_->storage && r_->storage == operand->storage;
    return th_may_overlap(&result, &array);
}

/* Whether the result, once it has the shape of `t`, can be written as matrices. */
static bool THTensor_(canBeWritten)(THTensor *r_, THTensor *t)
{
    const bl_array result = TH_ARRAY(r_);
    const int last = t->nDimension - 1;
    struct matrix c;

    if (!THTensor_(isSameSizeAs)(r_, t) || last == 0)
        return !th_may_repeat(&result);
    c = MATRIX(r_, NULL, last - 1, last);
    return !th_may_repeat(&result) && (leading(c) || leading(transposed(c)));
}

/*
 * Where a product of tensors a and b that is added to `t` is computed: r_, or a new
 * tensor where r_ cannot be. It begins as `t`, or without values where `beta` is 0.
 */
static THTensor *THTensor_(beginProduct)(THTensor *r_, real beta, THTensor *t,
                                         THTensor *a, THTensor *b)
{
    THTensor *const result = THTensor_(shares)(r_, t, a) ||
                                     THTensor_(shares)(r_, t, b) ||
                                     (r_ != t && THTensor_(shares)(r_, t, t)) ||
                                     !THTensor_(canBeWritten)(r_, t)
                                 ? THTensor_(new)()
                                 : r_;

    if (result != t) {
        THTensor_(resizeAs)(result, t);
        if (beta != 0)
            THTensor_(copy)(result, t);
    }
    return result;
}

void THTensor_(addmm)(THTensor *r_, real beta, THTensor *t, real alpha, THTensor *mat1,
                      THTensor *mat2)
{
    THTensor *result;

    TH_REFUSE(mat1->nDimension != 2 || mat2->nDimension != 2,
              "matrices expected, got %dD, %dD tensors", mat1->nDimension,
              mat2->nDimension);
    TH_REFUSE(mat1->size[1] != mat2->size[0], "size mismatch, m1: %s, m2: %s",
              TH_SHAPE(mat1), TH_SHAPE(mat2));
    TH_REFUSE(t->nDimension != 2, "matrix expected, got %dD tensor for t",
              t->nDimension);
    TH_REFUSE(t->size[0] != mat1->size[0] || t->size[1] != mat2->size[1],
              "size mismatch, t: %s, m1: %s, m2: %s", TH_SHAPE(t), TH_SHAPE(mat1),
              TH_SHAPE(mat2));
    result = THTensor_(beginProduct)(r_, beta, t, mat1, mat2);
    THTensor_(product)(MATRIX(result, TH_DATA(result), 0, 1), beta, alpha,
                       MATRIX(mat1, TH_DATA(mat1), 0, 1),
                       MATRIX(mat2, TH_DATA(mat2), 0, 1));
    THTensor_(give)(result, r_);
}

void THTensor_(addmv)(THTensor *r_, real beta, THTensor *t, real alpha, THTensor *mat,
                      THTensor *vec)
{
    THTensor *result;

    TH_REFUSE(mat->nDimension != 2 || vec->nDimension != 1,
              "matrix and vector expected, got %dD, %dD", mat->nDimension,
              vec->nDimension);
    TH_REFUSE(mat->size[1] != vec->size[0], "size mismatch, %s, %s", TH_SHAPE(mat),
              TH_SHAPE(vec));
    TH_REFUSE(t->nDimension != 1, "vector expected, got t: %dD", t->nDimension);
    TH_REFUSE(t->size[0] != mat->size[0], "size mismatch, t: %s, mat: %s, vec: %s",
              TH_SHAPE(t), TH_SHAPE(mat), TH_SHAPE(vec));
    result = THTensor_(beginProduct)(r_, beta, t, mat, vec);
    THTensor_(product)(COLUMN(result, TH_DATA(result)), beta, alpha,
                       MATRIX(mat, TH_DATA(mat), 0, 1), COLUMN(vec, TH_DATA(vec)));
    THTensor_(give)(result, r_);
}

void THTensor_(addr)(THTensor *r_, real beta, THTensor *t, real alpha, THTensor *vec1,
                     THTensor *vec2)
{
    THTensor *result;

    TH_REFUSE(vec1->nDimension != 1 || vec2->nDimension != 1,
              "vector and vector expected, got %dD, %dD tensors", vec1->nDimension,
              vec2->nDimension);
    TH_REFUSE(t->nDimension != 2, "expected matrix, got %dD tensor for t",
              t->nDimension);
    TH_REFUSE(t->size[0] != vec1->size[0] || t->size[1] != vec2->size[0],
              "size mismatch, t: %s, vec1: %s, vec2: %s", TH_SHAPE(t), TH_SHAPE(vec1),
              TH_SHAPE(vec2));
    result = THTensor_(beginProduct)(r_, beta, t, vec1, vec2);
    THTensor_(product)(MATRIX(result, TH_DATA(result), 0, 1), beta, alpha,
                       COLUMN(vec1, TH_DATA(vec1)),
                       transposed(COLUMN(vec2, TH_DATA(vec2))));
    THTensor_(give)(result, r_);
}

/* ---- of a batch of matrices ---- */

/* Refuse what is not two batches of matrices that can be multiplied. */
static bool THTensor_(checkBatches)(THTensor *batch1, THTensor *batch2)
{
    THArgCheck(batch1->nDimension == 3, 1, "expected 3D tensor, got %dD",
               batch1->nDimension);
    THArgCheck(batch2->nDimension == 3, 2, "expected 3D tensor, got %dD",
               batch2->nDimension);
    if (batch1->size[0] == batch2->size[0] && batch1->size[2] == batch2->size[1])
        return true;
    THError("size mismatch, batch1: %s, batch2: %s", TH_SHAPE(batch1),
            TH_SHAPE(batch2));
    return false;
}

/* The matrix with this number of a batch. */
#define TH_MATRIX_OF(batch, number)                                                    \
    MATRIX(batch, TH_DATA(batch) + (number) * (batch)->stride[0], 1, 2)

void THTensor_(addbmm)(THTensor *r_, real beta, THTensor *t, real alpha,
                       THTensor *batch1, THTensor *batch2)
{
    THTensor *result;

    if (!THTensor_(checkBatches)(batch1, batch2))
        return;
    TH_REFUSE(t->nDimension != 2 || t->size[0] != batch1->size[1] ||
                  t->size[1] != batch2->size[2],
              "size mismatch, t: %s, batch1: %s, batch2: %s", TH_SHAPE(t),
              TH_SHAPE(batch1), TH_SHAPE(batch2));
    result = THTensor_(beginProduct)(r_, beta, t, batch1, batch2);
    for (long i = 0; i < batch1->size[0]; i++)
        THTensor_(product)(MATRIX(result, TH_DATA(result), 0, 1), i == 0 ? beta : 1,
                           alpha, TH_MATRIX_OF(batch1, i), TH_MATRIX_OF(batch2, i));
    THTensor_(give)(result, r_);
}

void THTensor_(baddbmm)(THTensor *r_, real beta, THTensor *t, real alpha,
                        THTensor *batch1, THTensor *batch2)
{
    THTensor *result;

    if (!THTensor_(checkBatches)(batch1, batch2))
        return;
    TH_REFUSE(t->nDimension != 3 || t->size[0] != batch1->size[0] ||
                  t->size[1] != batch1->size[1] || t->size[2] != batch2->size[2],
              "size mismatch, t: %s, batch1: %s, batch2: %s", TH_SHAPE(t),
              TH_SHAPE(batch1), TH_SHAPE(batch2));
    result = THTensor_(beginProduct)(r_, beta, t, batch1, batch2);
    for (long i = 0; i < batch1->size[0]; i++)
        THTensor_(product)(TH_MATRIX_OF(result, i), beta, alpha,
                           TH_MATRIX_OF(batch1, i), TH_MATRIX_OF(batch2, i));
    THTensor_(give)(result, r_);
}

#undef TH_MATRIX_OF
