// The NPU of a process in which a submission's model runs, as PyTorch's own device (PrivateUse1). Tensors are addresses
// without bytes: memory and kernels are another process's, which is told over one descriptor what is asked of it and
// gives nothing back. Whatever else PyTorch is asked to do with such a tensor is refused by the operation's name.
#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <unistd.h>

#include <string>

#include "acl/acl.h"
#include "runtime/device/report.h"
#include "runtime/direct/device.h"
#include "tensor_text.h"
#include "twin/direct_launch.h"

namespace {

constexpr auto kDevice = c10::DeviceType::PrivateUse1;
int questions = -1;

void Say(const std::string& line) { npu::SayLine(questions, line); }

std::string Hex(const void* data, size_t bytes) {
    static const char* digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes);
    for (const auto* at = static_cast<const uint8_t*>(data); bytes-- > 0; ++at) {
        text += digits[*at >> 4];
        text += digits[*at & 15];
    }
    return text.empty() ? "-" : text;
}

std::string Address(const void* place) { return std::to_string(reinterpret_cast<uintptr_t>(place)); }

[[noreturn]] void Refuse(const std::string& what) {
    // Said at once: that the model catches the exception changes nothing.
    Say("{\"refused\":" + twin::jsonString(what) + "}");
    TORCH_CHECK(false, what, " is not the submission's own work");
}

[[noreturn]] void RefuseRead(const std::string& api) {
    Say("{\"read\":" + twin::jsonString(api) + "}");
    TORCH_CHECK(false, api, " takes values of a tensor to the host");
}

// A line holds at most this much of what the host writes.
constexpr size_t kPiece = 1 << 15;

void Write(const void* dst, const void* host, size_t bytes) {
    const auto *to = static_cast<const uint8_t*>(dst), *from = static_cast<const uint8_t*>(host);
    for (size_t done = 0; done < bytes; done += kPiece)
        Say("write " + Address(to + done) + " " + Hex(from + done, std::min(kPiece, bytes - done)));
}

void LaunchRemote(const twin::direct::Request& request) {
    std::string pointers;
    for (size_t i = 0; i < request.count; ++i) pointers += " " + Address(request.pointers[i]);
    const auto* name = reinterpret_cast<const uint8_t*>(request.kernel);
    Say("launch " + std::string(request.site) + " " + Hex(name, std::strlen(request.kernel)) + " " +
        std::to_string(request.blocks) + " " + Hex(request.arguments, request.argumentBytes) + " " +
        std::to_string(request.count) + pointers);
}

const twin::direct::Remote remoteDevice = {
    [](const uint8_t* base, size_t bytes, size_t behind) {
        Say("alloc " + Address(base) + " " + std::to_string(bytes) + " " + std::to_string(behind));
    },
    [](const uint8_t* data) { Say("free " + Address(data)); },
    &Write,
    [](const void* dst, const void* src, size_t bytes) {
        const std::string size = " 1 " + std::to_string(bytes) + " 1";
        Say("copy uint8 " + Address(dst) + size + " uint8 " + Address(src) + size);
    },
    [](const void* dst, int32_t value, size_t bytes) {
        const auto byte = static_cast<uint8_t>(value);
        Say("fill uint8 " + Address(dst) + " 1 " + std::to_string(bytes) + " 1 " + Hex(&byte, 1));
    },
    &LaunchRemote,
    [](const char* api) { RefuseRead(api); },
};

class DeviceMemory final : public c10::Allocator {
public:
    c10::DataPtr allocate(size_t bytes) override {
        const c10::Device device(kDevice, 0);
        if (bytes == 0) return {nullptr, nullptr, &Free, device};
        const auto* one = twin::direct::allocate(bytes, 32);
        TORCH_CHECK(one != nullptr, "the device is out of memory: ", bytes, " bytes are not to be had");
        return {one->data, one->data, &Free, device};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &Free; }
    void copy_data(void* to, const void* from, size_t count) const override { remoteDevice.move(to, from, count); }

private:
    static void Free(void* data) {
        const auto* begin = static_cast<const uint8_t*>(data);
        // A program may reset the device, which frees all it has.
        if (twin::direct::allocations().count(begin) > 0) twin::direct::release(begin);
    }
};
DeviceMemory memory;

struct Guard final : c10::impl::NoOpDeviceGuardImpl<kDevice> {
    c10::Device exchangeDevice(c10::Device) const override { return {kDevice, 0}; }
    c10::Device getDevice() const override { return {kDevice, 0}; }
    c10::Stream getStream(c10::Device) const noexcept override { return DefaultStream(); }
    c10::Stream exchangeStream(c10::Stream) const noexcept override { return DefaultStream(); }

private:
    static c10::Stream DefaultStream() { return c10::Stream(c10::Stream::DEFAULT, {kDevice, 0}); }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard)

struct Hooks final : at::PrivateUse1HooksInterface {
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
    void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
        const auto kept = storage.nbytes();
        auto data = memory.allocate(bytes);
        if (kept > 0 && bytes > 0) memory.copy_data(data.get(), storage.data(), std::min(kept, bytes));
        storage.set_data_ptr_noswap(std::move(data));
        storage.set_nbytes(bytes);
    }
};

bool IsHere(const at::Tensor& tensor) { return tensor.device().type() == kDevice; }

at::Tensor Empty(c10::IntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                 std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat> format) {
    const c10::DispatchKeySet keys(c10::DispatchKey::PrivateUse1);
    return at::detail::empty_generic(size, &memory, keys, c10::dtype_or_default(dtype), format);
}

at::Tensor EmptyStrided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<at::ScalarType> dtype,
                        std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
    const c10::DispatchKeySet keys(c10::DispatchKey::PrivateUse1);
    return at::detail::empty_strided_generic(size, stride, &memory, keys, c10::dtype_or_default(dtype));
}

/// The host's values in the order and type of the target, which has room for them without gaps.
void CopyIn(const at::Tensor& from, const at::Tensor& to) {
    const auto values = from.expand(to.sizes()).to(to.scalar_type()).contiguous();
    const auto place = to.is_contiguous() ? to : at::empty(to.sizes(), to.options());
    Write(npu::PlaceOf(place), values.data_ptr(), values.nbytes());
    if (!to.is_contiguous()) Say("copy " + npu::TextOf(to) + " " + npu::TextOf(place));
}

at::Tensor CopyFrom(const at::Tensor& from, const at::Tensor& to, bool) {
    if (!IsHere(to)) RefuseRead("Tensor.to");
    if (to.numel() == 0) return to;
    if (!IsHere(from)) CopyIn(from, to);
    else Say("copy " + npu::TextOf(to) + " " + npu::TextOf(from.expand(to.sizes())));
    return to;
}

at::Tensor& Fill(at::Tensor& self, const at::Scalar& value) {
    const auto one = at::empty({1}, at::TensorOptions(self.scalar_type())).fill_(value);
    if (self.numel() > 0) Say("fill " + npu::TextOf(self) + " " + Hex(one.data_ptr(), one.nbytes()));
    return self;
}

at::Tensor& FillTensor(at::Tensor& self, const at::Tensor& value) {
    if (!IsHere(value)) return Fill(self, value.item());
    return self.copy_(value.expand(self.sizes()));
}

at::Tensor& Zero(at::Tensor& self) { return Fill(self, 0); }

at::Scalar Read(const at::Tensor&) { RefuseRead("Tensor.item"); }

/// Values out of nothing that the device holds: made on the host, and written.
const char* const kMakers[] = {"aten::arange",  "aten::linspace", "aten::eye",      "aten::uniform_",
                               "aten::normal_", "aten::random_",  "aten::randperm", "aten::range"};

bool Makes(const std::string& name) {
    return std::any_of(std::begin(kMakers), std::end(kMakers), [&](const char* one) { return name == one; });
}

void MakeOnHost(const c10::OperatorHandle& operation, torch::jit::Stack* stack) {
    at::Tensor target;
    const size_t first = stack->size() - operation.schema().arguments().size();
    for (size_t at = first; at < stack->size(); ++at) {
        auto& value = (*stack)[at];
        if (!value.isTensor() || !IsHere(value.toTensor())) continue;
        target = value.toTensor();
        value = at::empty(target.sizes(), target.options().device(at::kCPU));
    }
    operation.callBoxed(stack);
    const auto made = stack->back().toTensor();
    if (!target.sizes().equals(made.sizes())) target.resize_(made.sizes());
    CopyIn(made, target);
    stack->back() = target;
}

void Otherwise(const c10::OperatorHandle& operation, torch::jit::Stack* stack) {
    const std::string& name = operation.schema().name();
    if (Makes(name)) MakeOnHost(operation, stack);
    else Refuse(name.substr(0, name.find("_overrideable")));
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&Otherwise>()); }

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
    m.impl("empty.memory_format", &Empty);
    m.impl("empty_strided", &EmptyStrided);
    m.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
    m.impl("view", TORCH_FN(at::native::view));
    m.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
    m.impl("unfold", TORCH_FN(at::native::unfold));
    m.impl("resize_", TORCH_FN(at::native::resize_));
    m.impl("_copy_from", &CopyFrom);
    m.impl("fill_.Scalar", &Fill);
    m.impl("fill_.Tensor", &FillTensor);
    m.impl("zero_", &Zero);
    m.impl("_local_scalar_dense", &Read);
    // Nothing here is out of order.
    m.impl("record_stream", [](at::Tensor&, c10::Stream) {});
    // PyTorch has kernels of its own for these, which end in another message.
    m.impl("convolution_overrideable", torch::CppFunction::makeFromBoxedFunction<&Otherwise>());
    m.impl("convolution_backward_overrideable", torch::CppFunction::makeFromBoxedFunction<&Otherwise>());
}

void OnBroken(const twin::Violation& violation) { Say("{\"violated\":" + twin::violationJson(violation) + "}"); }

}  // namespace

extern "C" {

/// From now on there is a device, and `file` is told what is asked of it.
void npu_begin(int file) {
    questions = file;
    twin::direct::remote() = &remoteDevice;
    twin::direct::hooks().broken = &OnBroken;
    aclrtSetDevice(0);
    static Hooks hooks;
    at::RegisterPrivateUse1HooksInterface(&hooks);
    c10::SetAllocator(kDevice, &memory, 1);
}
/// What the submission's code was refused is told by the caller.
void npu_refuse(const char* what) { Say("{\"refused\":" + twin::jsonString(what) + "}"); }

}  // extern "C"
