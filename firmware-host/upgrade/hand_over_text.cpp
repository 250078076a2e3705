#include "firmware-host/upgrade/hand_over_text.hpp"

#include "src/base/hex.hpp"
#include "src/base/members.hpp"
#include "src/wire/json.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace smsrack::host {
namespace {

using wire::Json;

template <typename T>
struct IsId : std::false_type {};
template <typename Tag, typename Rep>
struct IsId<Id<Tag, Rep>> : std::true_type {};

template <typename T>
struct IsCounts : std::false_type {};
/// One number for each kind.
template <std::size_t Kinds>
struct IsCounts<std::array<std::uint64_t, Kinds>> : std::true_type {};

template <typename T>
concept Number = std::integral<T> || std::is_enum_v<T>;

/// A descriptor is written as its place in `descriptors`.
template <typename T>
Json json_of(const T& value, std::vector<int>& descriptors) {
    if constexpr (std::is_same_v<T, bool> || std::floating_point<T>) {
        return value;
    } else if constexpr (std::is_same_v<T, std::string>) {
        return hex_of(value);
    } else if constexpr (std::is_same_v<T, serial::OwnedFd>) {
        if (value.get() < 0) {
            return -1;
        }
        descriptors.push_back(value.get());
        return descriptors.size() - 1;
    } else if constexpr (Number<T>) {
        return static_cast<std::int64_t>(value);
    } else if constexpr (IsId<T>::value) {
        return static_cast<std::int64_t>(value.value);
    } else if constexpr (requires { value.time_since_epoch(); }) {
        return static_cast<std::int64_t>(value.time_since_epoch().count());
    } else if constexpr (requires { value.count(); }) {
        return static_cast<std::int64_t>(value.count());
    } else if constexpr (requires { *value; }) {
        return value ? json_of(*value, descriptors) : Json();
    } else if constexpr (requires { value.begin(); }) {
        Json array = Json::array();
        for (const auto& element : value) {
            array.push_back(json_of(element, descriptors));
        }
        return array;
    } else {
        Json object = Json::object();
        const auto put = [&](std::string_view name, const auto& member) {
            object[std::string(name)] = json_of(member, descriptors);
        };
        for_each_member(value.members(), put);
        if constexpr (requires { value.later_members(); }) {
            for_each_member(value.later_members(), put);
        }
        return object;
    }
}

/// Reads them again; the first fault is kept, as the path of its member.
class Reader {
public:
    explicit Reader(std::vector<serial::OwnedFd>& descriptors) : descriptors_(descriptors) {}

    template <typename T>
    void read(const Json& json, const std::string& path, T& value);
    [[nodiscard]] const std::string& fault() const { return fault_; }

private:
    void complain(const std::string& path) {
        if (fault_.empty()) {
            fault_ = path;
        }
    }
    std::int64_t number(const Json& json, const std::string& path) {
        if (!json.is_number_integer()) {
            complain(path);
            return 0;
        }
        return json.get<std::int64_t>();
    }
    template <typename Values>
    void read_each(const Json& json, const std::string& path, Values& values) {
        for (std::size_t i = 0; i < json.size(); ++i) {
            read(json[i], fmt::format("{}[{}]", path, i), values.at(i));
        }
    }
    template <typename T>
    void read_members(const Json& json, const std::string& path, T& value);

    std::vector<serial::OwnedFd>& descriptors_;
    std::string fault_;
};

template <typename T>
void Reader::read_members(const Json& json, const std::string& path, T& value) {
    const auto get = [&](std::string_view name, auto& member, bool later) {
        const std::string at = path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
        if (json.is_object() && json.contains(name)) {
            read(json[std::string(name)], at, member);
        } else if (!later) {
            complain(at);
        }
    };
    for_each_member(value.members(),
                    [&](std::string_view name, auto& member) { get(name, member, false); });
    if constexpr (requires { value.later_members(); }) {
        for_each_member(value.later_members(),
                        [&](std::string_view name, auto& member) { get(name, member, true); });
    }
}

template <typename T>
void Reader::read(const Json& json, const std::string& path, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        value = json.is_boolean() && json.get<bool>();
        return json.is_boolean() ? void() : complain(path);
    } else if constexpr (std::is_same_v<T, std::string>) {
        auto octets =
            json.is_string() ? octets_of_hex(json.get_ref<const std::string&>()) : std::nullopt;
        if (!octets) {
            return complain(path);
        }
        value = *std::move(octets);
    } else if constexpr (std::is_same_v<T, serial::OwnedFd>) {
        const std::int64_t place = number(json, path);
        if (place >= 0 && static_cast<std::size_t>(place) < descriptors_.size()) {
            value = std::move(descriptors_[static_cast<std::size_t>(place)]);
        }
        return place < 0 || value.get() >= 0 ? void() : complain(path);
    } else if constexpr (std::floating_point<T>) {
        return json.is_number() ? void(value = json.get<T>()) : complain(path);
    } else if constexpr (Number<T>) {
        const std::int64_t wide = number(json, path);
        value = static_cast<T>(wide);
        return static_cast<std::int64_t>(value) == wide ? void() : complain(path);
    } else if constexpr (IsId<T>::value) {
        read(json, path, value.value);
    } else if constexpr (requires { value.time_since_epoch(); }) {
        value = T(typename T::duration(number(json, path)));
    } else if constexpr (requires { value.count(); }) {
        value = T(number(json, path));
    } else if constexpr (requires { typename T::element_type; }) {  // shared_ptr
        if (!json.is_null()) {
            value = std::make_shared<typename T::element_type>();
            read(json, path, *value);
        }
    } else if constexpr (requires { value.emplace(); }) {  // optional
        if (!json.is_null()) {
            read(json, path, value.emplace());
        }
    } else if constexpr (requires { value.resize(0); }) {
        if (!json.is_array()) {
            return complain(path);
        }
        value.resize(json.size());
        read_each(json, path, value);
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
        // An older version counted fewer kinds: new ones come last, and it saw nothing of them.
        const bool fits =
            IsCounts<T>::value ? json.size() <= value.size() : json.size() == value.size();
        if (!json.is_array() || !fits) {
            return complain(path);
        }
        read_each(json, path, value);
    } else {
        read_members(json, path, value);
    }
}

}  // namespace

HandOverText encode(const HandOver& hand_over) {
    HandOverText out;
    Json whole = json_of(hand_over, out.descriptors);
    whole["protocol"] = hand_over_protocol;
    out.text = whole.dump();
    return out;
}

Result<HandOver> decode(std::string_view text, std::vector<serial::OwnedFd> descriptors) {
    const auto json = wire::parse_json(text);
    if (!json || !json->is_object()) {
        return fail(Errc::protocol, "hand-over: the text is incomplete or malformed");
    }
    if (const auto protocol = json->find("protocol");
        protocol == json->end() || *protocol != hand_over_protocol) {
        return fail(Errc::protocol,
                    fmt::format("hand-over: expected protocol {}", hand_over_protocol));
    }
    HandOver hand_over;
    Reader reader(descriptors);
    reader.read(*json, "", hand_over);
    if (!reader.fault().empty()) {
        return fail(Errc::protocol, "hand-over: " + reader.fault() + " is missing or invalid");
    }
    return hand_over;
}

}  // namespace smsrack::host
