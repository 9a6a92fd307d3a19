// Kernels over tensors of one type: inputs are copied in, outputs copied out.
#ifndef TWIN_TEST_ON_DEVICE_H
#define TWIN_TEST_ON_DEVICE_H

#include <cmath>

#include "expect.h"

inline std::vector<float> Wave(size_t n, int seed, float scale = 1) {
    std::vector<float> v(n);
    for (size_t i = 0; i < n; ++i) v[i] = scale * static_cast<float>(std::sin(0.37 * static_cast<double>(i) + seed));
    return v;
}

template <typename T>
std::vector<T> As(const std::vector<float>& v) {
    return std::vector<T>(v.begin(), v.end());
}

template <typename T>
void ExpectNear(const std::string& name, const std::vector<T>& seen, const std::vector<double>& expected,
                double tolerance) {
    size_t i = 0;
    while (i < expected.size() && std::abs(static_cast<double>(static_cast<float>(seen[i])) - expected[i]) <=
                                      tolerance * (1 + std::abs(expected[i])))
        ++i;
    Expect(name, i == expected.size() && seen.size() == expected.size(),
           i == expected.size() ? "size"
                                : "element " + std::to_string(i) + " is " +
                                      std::to_string(static_cast<double>(static_cast<float>(seen[i]))) + ", expected " +
                                      std::to_string(expected[i]));
}

/// A kernel's UB: inputs are copied in, outputs copied out, with a barrier before and after what the test computes.
template <typename T>
class Device {
public:
    explicit Device(std::vector<std::vector<T>> inputs, std::vector<size_t> outputs) : inputs_(std::move(inputs)) {
        for (const size_t n : outputs) this->outputs.emplace_back(n);
    }
    using Body = std::function<void(std::vector<AscendC::LocalTensor<T>>, std::vector<AscendC::LocalTensor<T>>,
                                    AscendC::TPipe&)>;
    std::string Compute(Body body) {
        std::vector<twin::GmArg> args;
        for (auto& v : inputs_)
            args.push_back({"in", twin::Role::kInput, reinterpret_cast<uint8_t*>(v.data()), v.size() * sizeof(T)});
        for (auto& v : outputs)
            args.push_back({"out", twin::Role::kOutput, reinterpret_cast<uint8_t*>(v.data()), v.size() * sizeof(T)});
        return RuleBroken(args, [&](uint8_t** gm) { Kernel(gm, body); });
    }
    std::vector<std::vector<T>> outputs;

private:
    static AscendC::LocalTensor<T> Space(AscendC::TPipe& pipe, size_t n) {
        AscendC::TBuf<> buffer;
        pipe.InitBuffer(buffer, (n * sizeof(T) + 31) / 32 * 32);
        return buffer.Get<T>();
    }
    void Kernel(uint8_t** gm, const Body& body) {
        AscendC::TPipe pipe;
        Space(pipe, 1);  // No operand lies at the first byte of UB, where an address and an offset are the same.
        std::vector<AscendC::LocalTensor<T>> in, out;
        for (size_t i = 0; i < inputs_.size(); ++i) {
            in.push_back(Space(pipe, inputs_[i].size()));
            AscendC::GlobalTensor<T> from;
            from.SetGlobalBuffer((__gm__ T*)gm[i]);
            AscendC::DataCopyPad(in[i], from, AscendC::DataCopyExtParams(1, inputs_[i].size() * sizeof(T), 0, 0, 0),
                                 AscendC::DataCopyPadExtParams<T>());
        }
        for (const auto& v : outputs) out.push_back(Space(pipe, v.size()));
        AscendC::PipeBarrier<PIPE_ALL>();
        body(in, out, pipe);
        AscendC::PipeBarrier<PIPE_ALL>();
        for (size_t i = 0; i < out.size(); ++i) {
            AscendC::GlobalTensor<T> to;
            to.SetGlobalBuffer((__gm__ T*)gm[inputs_.size() + i]);
            AscendC::DataCopyPad(to, out[i], AscendC::DataCopyExtParams(1, outputs[i].size() * sizeof(T), 0, 0, 0));
        }
    }
    std::vector<std::vector<T>> inputs_;
};

#endif
