/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules of THNN for elements of one type.
 */

#if defined(TH_REAL_IS_FLOAT)
#define TH_EPSILON FLT_EPSILON
#else
#define TH_EPSILON DBL_EPSILON
#endif

static THTensor *THTensor_(filled)(int seed, int rank, const long *size)
{
    THTensor *const t = THTensor_(new)();
    long number = 0;

    THTensor_(resizeNd)(t, rank, (long *)size, NULL);
    TH_TENSOR_APPLY(real, t, *t_data = (real)element_of(seed, number++);)
    return t;
}

#define FILLED(seed, ...)                                                              \
    THTensor_(filled)(seed, sizeof((long[]){__VA_ARGS__}) / sizeof(long),              \
                      (long[]){__VA_ARGS__})

/*
 * Compare a result with PyTorch's, in ULPs of its largest element: THNN's formulas, 1 -
 * y * y for the derivative of tanh and the like, cancel.
 */
static void THTensor_(compare)(const char *name, const char *part, THTensor *t)
{
    char whole[64];
    double largest = 0, worst = 0;
    long missing = 0;
    char *row, *at;

    snprintf(whole, sizeof whole, "%s%s", name, part);
    row = row_of(expected_file, whole);
    for (at = row; at && *at == '\t';)
        largest = fmax(largest, fabs(strtod(at + 1, &at)));
    at = row;
    TH_TENSOR_APPLY(
        real, t, if (!at || *at != '\t') missing++; else {
            const double want = strtod(at + 1, &at);

            worst = fmax(worst, fabs((double)*t_data - want) / (largest * TH_EPSILON));
        })
    report(row && missing == 0 && *at == '\n' && worst <= 2, TH_CONCAT_STRING_2(, Real),
           whole, worst);
}

/* ---- modules of one input: arguments between output or gradInput and the end ---- */

#define NOTHING
#define MODULE(name, output_arguments, gradient_arguments)                             \
    {                                                                                  \
        THTensor *const input = FILLED(1, 4, 6), *const output = THTensor_(new)();     \
        THTensor *const gradInput = THTensor_(new)();                                  \
        THTensor *const buffer = THTensor_(new)();                                     \
        THTensor *const weight = THTensor_(newWithSize1d)(1);                          \
        THTensor *gradOutput;                                                          \
                                                                                       \
        THTensor_(fill)(weight, 0.25);                                                 \
        THNN_(name##_updateOutput)(NULL, input, output output_arguments);              \
        gradOutput = THTensor_(filled)(2, output->nDimension, output->size);           \
        THNN_(name##_updateGradInput)                                                  \
        (NULL, input, gradOutput, gradInput gradient_arguments);                       \
        THTensor_(compare)(#name, "", output);                                         \
        THTensor_(compare)(#name, ".gradInput", gradInput);                            \
        THTensor_(free)(input);                                                        \
        THTensor_(free)(output);                                                       \
        THTensor_(free)(gradInput);                                                    \
        THTensor_(free)(buffer);                                                       \
        THTensor_(free)(weight);                                                       \
        THTensor_(free)(gradOutput);                                                   \
    }
#define LIST(...) , __VA_ARGS__

static void THTensor_(checkPointwise)(void)
{
    MODULE(Abs, NOTHING, NOTHING)
    MODULE(ELU, LIST(0.75, false), LIST(output, 0.75, false))
    MODULE(GatedLinear, LIST(1 + TH_INDEX_BASE), LIST(1 + TH_INDEX_BASE))
    MODULE(HardShrink, LIST(0.5), LIST(0.5))
    MODULE(HardTanh, LIST(-1.5, 2, false), LIST(-1.5, 2, false))
    MODULE(LeakyReLU, LIST(0.125, false), LIST(0.125, false))
    MODULE(LogSigmoid, LIST(buffer), LIST(buffer))
    MODULE(LogSoftMax, NOTHING, LIST(output))
    MODULE(PReLU, LIST(weight, 0), LIST(weight, 0))
    MODULE(Sigmoid, NOTHING, LIST(output))
    MODULE(SoftMax, NOTHING, LIST(output))
    MODULE(SoftPlus, LIST(2, 20), LIST(output, 2, 20))
    MODULE(SoftShrink, LIST(0.5), LIST(0.5))
    MODULE(Square, NOTHING, NOTHING)
    MODULE(Tanh, NOTHING, LIST(output))
    MODULE(Threshold, LIST(0.25, -7, false), LIST(0.25, -7, false))
}

/* ---- criteria ---- */

/* Numbers from 1/17 to 16/17 in place of those from -4 to 4. */
static void THTensor_(makeShares)(THTensor *t)
{
    THTensor_(add)(t, t, 4);
    THTensor_(div)(t, t, 8.5);
}

#define CRITERION(name, target, ...)                                                   \
    {                                                                                  \
        THTensor *const output = THTensor_(newWithSize1d)(1);                          \
        THTensor *const gradInput = THTensor_(new)();                                  \
                                                                                       \
        THTensor_(resizeAs)(gradInput, input);                                         \
        THNN_(name##_updateOutput)(NULL, input, target, output, __VA_ARGS__);          \
        THNN_(name##_updateGradInput)                                                  \
        (NULL, input, target, gradInput, __VA_ARGS__);                                 \
        THTensor_(compare)(#name, "", output);                                         \
        THTensor_(compare)(#name, ".gradInput", gradInput);                            \
        THTensor_(free)(output);                                                       \
        THTensor_(free)(gradInput);                                                    \
    }

static void THTensor_(checkCriteria)(void)
{
    THTensor *const input = FILLED(1, 4, 6), *const target = FILLED(3, 4, 6);
    THTensor *const shares = FILLED(3, 4, 6), *const signs = THTensor_(new)();

    THTensor_(makeShares)(shares);
    THTensor_(sign)(signs, target);
    CRITERION(AbsCriterion, target, true)
    CRITERION(MSECriterion, target, true)
    CRITERION(SmoothL1Criterion, target, true)
    CRITERION(SoftMarginCriterion, signs, true)
    CRITERION(MarginCriterion, signs, true, 1)
    CRITERION(DistKLDivCriterion, shares, true)
    THTensor_(makeShares)(input);
    CRITERION(BCECriterion, shares, true, NULL)
    THTensor_(free)(input);
    THTensor_(free)(target);
    THTensor_(free)(shares);
    THTensor_(free)(signs);
}

static void THTensor_(checkClasses)(void)
{
    static const long classes[] = {0, 5, 2, 2};
    static const long labels[] = {0, 3, -1, 1,  1, 1, 5, -1, 0, 0, 0, 0,
                                  2, 1, 4,  -1, 0, 0, 2, -1, 0, 0, 0, 0};
    THTensor *const input = FILLED(1, 4, 6), *const work = THTensor_(new)();
    THTensor *const total = THTensor_(newWithSize1d)(1);
    THLongTensor *const target = THLongTensor_newWithSize1d(4);
    THLongTensor *const sets = THLongTensor_newWithSize2d(4, 6);

    memcpy(THLongTensor_data(target), classes, sizeof classes);
    memcpy(THLongTensor_data(sets), labels, sizeof labels);
    THLongTensor_add(target, target, TH_INDEX_BASE);
    THLongTensor_add(sets, sets, TH_INDEX_BASE);
    THTensor_(zero)(total);
    {
        THTensor *const output = THTensor_(newWithSize1d)(1);
        THTensor *const gradInput = THTensor_(new)();

        THTensor_(resizeAs)(gradInput, input);
        THTensor_(zero)(gradInput);
        THNN_(ClassNLLCriterion_updateOutput)
        (NULL, input, target, output, true, NULL, total, -100);
        THNN_(ClassNLLCriterion_updateGradInput)
        (NULL, input, target, gradInput, true, NULL, total, -100);
        THTensor_(compare)("ClassNLLCriterion", "", output);
        THTensor_(compare)("ClassNLLCriterion", ".gradInput", gradInput);
        THTensor_(free)(output);
        THTensor_(free)(gradInput);
    }
    CRITERION(MultiMarginCriterion, target, true, 1, NULL, 1)
    CRITERION(MultiLabelMarginCriterion, sets, work, true)
    THTensor_(free)(input);
    THTensor_(free)(work);
    THTensor_(free)(total);
    THLongTensor_free(target);
    THLongTensor_free(sets);
}

/* ---- modules with weights ---- */

static void THTensor_(checkLinear)(void)
{
    THTensor *const input = FILLED(1, 4, 6), *const weight = FILLED(4, 5, 6);
    THTensor *const bias = FILLED(5, 5), *const gradOutput = FILLED(2, 4, 5);
    THTensor *const output = THTensor_(new)(), *const gradInput = THTensor_(new)();
    THTensor *const gradWeight = FILLED(0, 5, 6), *const gradBias = FILLED(0, 5);
    THTensor *const buffer = THTensor_(new)();

    THTensor_(zero)(gradWeight);
    THTensor_(zero)(gradBias);
    THNN_(Linear_updateOutput)(NULL, input, output, weight, bias, buffer);
    THNN_(Linear_updateGradInput)(NULL, input, gradOutput, gradInput, weight);
    THNN_(Linear_accGradParameters)
    (NULL, input, gradOutput, gradInput, weight, bias, gradWeight, gradBias, buffer, 1);
    THTensor_(compare)("Linear", "", output);
    THTensor_(compare)("Linear", ".gradInput", gradInput);
    THTensor_(compare)("Linear", ".gradWeight", gradWeight);
    THTensor_(compare)("Linear", ".gradBias", gradBias);
    THTensor_(free)(input);
    THTensor_(free)(weight);
    THTensor_(free)(bias);
    THTensor_(free)(gradOutput);
    THTensor_(free)(output);
    THTensor_(free)(gradInput);
    THTensor_(free)(gradWeight);
    THTensor_(free)(gradBias);
    THTensor_(free)(buffer);
}

static void THTensor_(checkConvolution)(void)
{
    THTensor *const input = FILLED(1, 2, 3, 7, 6), *const weight = FILLED(4, 4, 18);
    THTensor *const bias = FILLED(5, 4), *const output = THTensor_(new)();
    THTensor *const gradInput = THTensor_(new)(), *gradOutput;
    THTensor *const gradWeight = FILLED(0, 4, 18), *const gradBias = FILLED(0, 4);
    THTensor *const columns = THTensor_(new)(), *const gradColumns = THTensor_(new)();

    THTensor_(zero)(gradWeight);
    THTensor_(zero)(gradBias);
    THNN_(SpatialConvolutionMM_updateOutput)
    (NULL, input, output, weight, bias, columns, gradColumns, 2, 3, 1, 2, 1, 0);
    gradOutput = THTensor_(filled)(2, output->nDimension, output->size);
    THNN_(SpatialConvolutionMM_updateGradInput)
    (NULL, input, gradOutput, gradInput, weight, columns, gradColumns, 2, 3, 1, 2, 1,
     0);
    THNN_(SpatialConvolutionMM_accGradParameters)
    (NULL, input, gradOutput, gradWeight, gradBias, columns, gradColumns, 2, 3, 1, 2, 1,
     0, 1);
    THTensor_(compare)("SpatialConvolutionMM", "", output);
    THTensor_(compare)("SpatialConvolutionMM", ".gradInput", gradInput);
    THTensor_(compare)("SpatialConvolutionMM", ".gradWeight", gradWeight);
    THTensor_(compare)("SpatialConvolutionMM", ".gradBias", gradBias);
    THTensor_(free)(input);
    THTensor_(free)(weight);
    THTensor_(free)(bias);
    THTensor_(free)(output);
    THTensor_(free)(gradInput);
    THTensor_(free)(gradOutput);
    THTensor_(free)(gradWeight);
    THTensor_(free)(gradBias);
    THTensor_(free)(columns);
    THTensor_(free)(gradColumns);
}

static void THTensor_(checkModules)(void)
{
    THTensor_(checkPointwise)();
    THTensor_(checkCriteria)();
    THTensor_(checkClasses)();
    THTensor_(checkLinear)();
    THTensor_(checkConvolution)();
}

#undef TH_EPSILON
#undef NOTHING
#undef MODULE
#undef LIST
#undef CRITERION
