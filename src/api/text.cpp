#include "src/api/text.hpp"

#include "src/base/time_text.hpp"
#include "src/pdu/alphabet/utf8.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace smsrack::api {

std::string code_text(Cause cause, std::string_view detail) {
    switch (cause.kind) {
        case CodeKind::none:
            break;
        case CodeKind::cms:
            return fmt::format("cms_{}", cause.code);
        case CodeKind::cme:
            return fmt::format("cme_{}", cause.code);
        case CodeKind::tp_status:
            return fmt::format("tp_status_{}", cause.code);
        case CodeKind::plain_error:
            return "error";
    }
    return std::string(detail);
}

void append_cause(wire::JsonWriter& json, const ErrorTable& errors, const CauseText& text) {
    member_or_null(json, "code", code_text(text.cause, text.detail));
    if (text.cause.kind != CodeKind::none) {
        const CauseInfo& info = errors.info(text.cause);
        json.member("class", cause_class_name(info.class_of(text.pdu_sent)));
        json.member("cause", info.meaning);
        json.member("advice", info.advice);
    }
    if (!text.detail.empty()) {
        json.member("detail", text.detail);
    }
}

void member_or_null(wire::JsonWriter& json, std::string_view name, std::string_view text) {
    if (text.empty()) {
        json.member_null(name);
    } else {
        json.member(name, text);
    }
}

void member_or_null(wire::JsonWriter& json, std::string_view name,
                    const std::optional<WallTime>& at) {
    member_or_null(json, name, at ? time_text(*at) : "");
}

void append_state_counts(wire::JsonWriter& json, std::string_view name,
                         const std::array<std::int64_t, message_state_count>& counts) {
    json.object(name, [&] {
        for (std::size_t i = 0; i < message_state_count; ++i) {
            json.member(message_state_names.at(i), counts.at(i));
        }
    });
}

std::string valid_text(std::string_view text) {
    std::string valid;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t octets = pdu::code_point_at(text, at).octets;
        if (octets == 0) {
            valid += '?';
            ++at;
        } else {
            valid += text.substr(at, octets);
            at += octets;
        }
    }
    return valid;
}

void append_texts(wire::JsonWriter& json, std::string_view name,
                  std::span<const std::string> texts) {
    json.array(name, texts, [&](const std::string& text) { json.value(valid_text(text)); });
}

std::string what_there_is(std::span<const std::string> names) {
    constexpr std::size_t named_max = 20;
    if (names.empty()) {
        return "; there is none";
    }
    const auto named = names.first(std::min(names.size(), named_max));
    const std::string more = names.size() > named_max
                                 ? fmt::format(" and {} more", names.size() - named_max)
                                 : std::string();
    return fmt::format("; there {} {}{}", names.size() == 1 ? "is" : "are", fmt::join(named, ", "),
                       more);
}

std::string hex_text(std::string_view octets) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    text.reserve(octets.size() * 2);
    for (const char c : octets) {
        const auto octet = static_cast<unsigned char>(c);
        text += digits[octet >> 4U];
        text += digits[octet & 0x0FU];
    }
    return text;
}

}  // namespace smsrack::api
