// Tiling structures declared by macro: fields are laid out as the kernel's plain structure will be.
#ifndef TWIN_REGISTER_TILINGDATA_BASE_H
#define TWIN_REGISTER_TILINGDATA_BASE_H

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "exe_graph/runtime/tiling_context.h"
#include "securec.h"

namespace optiling {

/// Base of every macro-declared structure. In the buffer, each field stands at its natural alignment, a nested
/// structure at a multiple of 8, and the whole is padded to a multiple of 8: the layout of the structure that the
/// kernel sees.
class TilingDef {
public:
    TilingDef();
    TilingDef(const TilingDef&);
    TilingDef& operator=(const TilingDef&);
    virtual ~TilingDef();
    const char* GetTilingClassName() const { return className_; }
    /// Bytes in the buffer.
    size_t GetDataSize() const { return layout(nullptr); }
    /// Writes nothing when `capacity` is smaller than GetDataSize().
    void SaveToBuffer(void* buffer, size_t capacity);
    /// From here on, setters write to `data` as well.
    void SetDataPtr(void* data);
    bool CheckAlignAndGenPlaceHolder(const char*, size_t) { return true; }

protected:
    struct Field {
        size_t offset, bytes, alignment;
        bool nested;
    };
    size_t layout(uint8_t* buffer) const;
    void addField(const void* member, size_t bytes, size_t alignment, bool nested);
    void Changed() const {
        if (data_ != nullptr) layout(data_);
    }
    const char* className_ = "";

private:
    uint8_t* data_ = nullptr;
    std::vector<Field> fields_;
};

}  // namespace optiling

#define ASCENDC_EXTERN_C extern "C"

#define BEGIN_TILING_DATA_DEF(name)                                     \
    class name : public ::optiling::TilingDef {                         \
        using TwinSelf = name;                                          \
        struct TwinName {                                               \
            explicit TwinName(name* self) { self->className_ = #name; } \
        } twin_name_{this};                                             \
                                                                        \
    public:                                                             \
        name() = default;                                               \
        ~name() override = default;

#define TILING_DATA_FIELD_DEF(type, field)                                       \
private:                                                                         \
    type field##_ = 0;                                                           \
    struct TwinField_##field {                                                   \
        explicit TwinField_##field(TwinSelf* self) {                             \
            self->addField(&self->field##_, sizeof(type), alignof(type), false); \
        }                                                                        \
    } twin_field_##field##_{this};                                               \
                                                                                 \
public:                                                                          \
    void set_##field(type value) {                                               \
        field##_ = value;                                                        \
        Changed();                                                               \
    }                                                                            \
    type get_##field() const { return field##_; }

#define TILING_DATA_FIELD_DEF_ARR(type, size, field)                                \
private:                                                                            \
    type field##_[size] = {};                                                       \
    struct TwinField_##field {                                                      \
        explicit TwinField_##field(TwinSelf* self) {                                \
            self->addField(self->field##_, sizeof(field##_), alignof(type), false); \
        }                                                                           \
    } twin_field_##field##_{this};                                                  \
                                                                                    \
public:                                                                             \
    void set_##field(const type* values) {                                          \
        std::memcpy(field##_, values, sizeof(field##_));                            \
        Changed();                                                                  \
    }                                                                               \
    type* get_##field() { return field##_; }                                        \
    const type* get_##field() const { return field##_; }

#define TILING_DATA_FIELD_DEF_STRUCT(type, field)                                          \
public:                                                                                    \
    type field;                                                                            \
                                                                                           \
private:                                                                                   \
    struct TwinField_##field {                                                             \
        explicit TwinField_##field(TwinSelf* self) {                                       \
            self->addField(static_cast<::optiling::TilingDef*>(&self->field), 0, 8, true); \
        }                                                                                  \
    } twin_field_##field##_{this};                                                         \
                                                                                           \
public:

#define END_TILING_DATA_DEF \
    }                       \
    ;

/// The kernel's structure is generated from the text of the declaration, so there is nothing to register at run time;
/// the alias makes a misspelled class an error, as it is with CANN. Public sources leave out the semicolon after it.
#define REGISTER_TILING_DATA_CLASS(op, name) using twin_tiling_of_##op __attribute__((unused)) = name;

#endif
