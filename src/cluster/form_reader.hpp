/// Reads the JSON in which boxes write to each other.
///
/// Errors:  bad_request: it is not what a box has written.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/hex.hpp"
#include "src/base/result.hpp"
#include "src/wire/json.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::cluster {

/// Reads members; one that is absent leaves its value as it was.
class FormReader {
public:
    explicit FormReader(const wire::Json& json) : json_(json) {}

    template <typename T>
    void read(const char* name, T& value) {
        if (const auto found = json_.find(name); found != json_.end()) {
            found->get_to(value);
        }
    }
    template <typename T>
    void read(const char* name, std::optional<T>& value) {
        if (const auto found = json_.find(name); found != json_.end()) {
            value = found->get<T>();
        }
    }
    void read(const char* name, WallTime& value, std::chrono::milliseconds later) {
        if (const auto found = json_.find(name); found != json_.end()) {
            value = WallTime(std::chrono::milliseconds(found->get<std::int64_t>()) + later);
        }
    }
    void read_octets(const char* name, std::string& value) {
        std::string hex;
        read(name, hex);
        auto octets = octets_of_hex(hex);
        is_whole_ = is_whole_ && octets.has_value();
        value = std::move(octets).value_or("");
    }
    [[nodiscard]] bool is_whole() const { return is_whole_; }

private:
    const wire::Json& json_;
    bool is_whole_ = true;
};

[[nodiscard]] inline std::unexpected<Error> strange_form() {
    return fail(Errc::bad_request, "the form is not that of a box of this fleet");
}

/// Of `read`, which may throw what the JSON library throws.
template <typename T>
[[nodiscard]] Result<T> read_form(std::string_view form, auto read) {
    const auto json = wire::parse_json(form);
    if (!json || !json->is_object()) {
        return strange_form();
    }
    try {
        return read(*json);
    } catch (const wire::Json::exception&) {
        return strange_form();
    }
}

}  // namespace smsrack::cluster
