// Stands in for the header of the same name beside the harness's bindings: an operator is asked of the judge, which
// runs it where the device's memory is. The call is told with the types of its arguments, since the harness calls the
// generated function through a pointer to a function of just these, whatever its own are.
#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/extension.h>
#include <torch/library.h>

#include "tensor_text.h"

namespace npu {

/** One call: its request as JSON. */
struct Call {
    std::string request;

    void Begin(const std::string& kind) {
        request += (request.empty() ? "{\"kind\":\"" : ",{\"kind\":\"") + kind + "\"";
    }
    void Plain(const char* kind) {
        Begin(kind);
        request += "}";
    }
    template <class Values> void Value(const Values& values) {
        request += ",\"value\":[";
        bool first = true;
        for (const auto value : values) {
            request += (first ? "" : ",") + std::to_string(value);
            first = false;
        }
        request += "]";
    }
    static std::string Text(double value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", value);
        return std::isfinite(value) ? text : std::string("\"") + text + "\"";
    }
    template <class T> static std::string TypeName() {
        if (std::is_same_v<T, bool>) return "bool";
        const std::string bits = std::to_string(8 * sizeof(T));
        return (std::is_floating_point_v<T> ? "float" : std::is_signed_v<T> ? "int" : "uint") + bits;
    }

    void Add(const at::Tensor& tensor) {
        if (!tensor.defined()) return Plain("none");
        if (tensor.device().type() != at::kPrivateUse1) return Plain("host-tensor");
        Begin("tensor");
        request += ",\"dtype\":\"" + std::string(NameOf(tensor.scalar_type())) + "\",\"place\":" +
                   std::to_string(reinterpret_cast<uintptr_t>(PlaceOf(tensor))) + ",\"shape\":[";
        for (int64_t at = 0; at < tensor.dim(); ++at) request += (at ? "," : "") + std::to_string(tensor.size(at));
        request += "],\"strides\":[";
        for (int64_t at = 0; at < tensor.dim(); ++at) request += (at ? "," : "") + std::to_string(tensor.stride(at));
        request += "]}";
    }
    void Add(at::ScalarType type) { Add(static_cast<int32_t>(type)); }
    template <class T> requires(std::is_arithmetic_v<T>) void Add(T value) {
        Begin("number");
        request += ",\"type\":\"" + TypeName<T>() + "\",\"value\":";
        if constexpr (std::is_same_v<T, bool>) request += value ? "1" : "0";
        else if constexpr (std::is_integral_v<T>) request += "\"" + std::to_string(value) + "\"";
        else request += Text(static_cast<double>(value));
        request += "}";
    }
    void Add(const at::Scalar&) { Plain("scalar"); }
    void Add(const at::IntArrayRef& values) {
        Begin("integers");
        Value(values);
        request += "}";
    }
    void Add(const at::ArrayRef<bool>& values) {
        Begin("truths");
        Value(values);
        request += "}";
    }
    template <size_t count> void Add(const std::array<bool, count>& values) { Add(at::ArrayRef<bool>(values)); }
    template <class T> void Add(const std::optional<T>& value) {
        if (value.has_value()) Add(*value);
        else Plain("none");
    }
    void Add(const char* value) {
        Begin("string");
        request += ",\"value\":\"";
        for (; *value != '\0'; ++value) {
            char text[8];
            std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned char>(*value));
            request += text;
        }
        request += "\"}";
    }
    void Add(char* value) { Add(static_cast<const char*>(value)); }
    // The harness's header has no form of its own for these: the call gets the object itself, or a pointer to it.
    template <class T> requires(!std::is_arithmetic_v<T>) void Add(const T&) { Plain("object"); }

    void Ask(const char* name) const {
        SayLine(std::atoi(std::getenv("NPU_QUESTIONS")),
                std::string("{\"operator\":\"") + name + "\",\"arguments\":[" + request + "]}");
    }
};

template <class... Arguments> void Run(const char* name, const Arguments&... arguments) {
    Call call;
    (call.Add(arguments), ...);
    call.Ask(name);
}

}  // namespace npu

#define EXEC_NPU_CMD(name, ...) ::npu::Run(#name, __VA_ARGS__)
