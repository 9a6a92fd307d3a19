// Reciprocal and Rsqrt as the device estimates them.
#ifndef TWIN_DEVICE_ESTIMATES_H
#define TWIN_DEVICE_ESTIMATES_H

namespace twin {

/// 1 / x within 3e-3 of the result, and exactly what IEEE 754 says for zeros, infinities and NaN.
float ReciprocalEstimate(float x);
/// 1 / sqrt(x) within 4e-3 of the result; zeros, negative numbers, infinities and NaN as IEEE 754 has them.
float RsqrtEstimate(float x);
/// Whether the running launch estimates: the benchmark's literal rule (a tolerant launch) takes exact values, so that
/// no answer of its own is lost by a table that no page gives in full.
bool Estimates();

}  // namespace twin

#endif
