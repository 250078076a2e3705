#include "tools/modem_sim/fault_order.hpp"

#include <fmt/format.h>

namespace smsrack::modem_sim {
namespace {

using wire::Json;

Error wrong(std::string text) {
    return {.code = Errc::bad_request, .context = std::move(text)};
}

/// What the members `count`, `code` and `text` are called with this fault, and the highest code.
struct Words {
    const char* count = "count";
    const char* code = "code";
    int code_max = 999;
    const char* text = "text";
};

Words words_of(FaultKind kind) {
    switch (kind) {
        case FaultKind::sim_swapped:
            return {.code = "card"};
        case FaultKind::pin_wanted:
            return {.count = "attempts", .text = "pin"};
        case FaultKind::puk_wanted:
            return {.text = "pin"};
        case FaultKind::ring:
            return {.text = "from"};
        case FaultKind::report_zone:
            return {.code = "quarters"};
        case FaultKind::report_status:
        case FaultKind::temporary_report:
            return {.code = "status"};
        case FaultKind::lose_octets:
        case FaultKind::urc_inside:
            return {.code = "percent", .code_max = 100};
        case FaultKind::rate_lossy:
            return {.code = "baud", .code_max = 921'600};
        case FaultKind::dead_clock:
            return {.code = "kind", .code_max = 2};
        default:
            return {};
    }
}

}  // namespace

Result<int> number_of(const Json& order, const char* name, int otherwise, int highest) {
    const auto found = order.find(name);
    if (found == order.end()) {
        return otherwise;
    }
    if (!found->is_number_integer() || *found < 0 || *found > highest) {
        return std::unexpected(
            wrong(fmt::format("{} must be a number from 0 to {}", name, highest)));
    }
    return found->get<int>();
}

Result<std::string> text_of(const Json& order, const char* name, std::string_view otherwise) {
    const auto found = order.find(name);
    if (found == order.end()) {
        return std::string(otherwise);
    }
    constexpr std::size_t text_max = 4096;  // octets: 27 segments
    if (!found->is_string() || found->get_ref<const std::string&>().size() > text_max) {
        return std::unexpected(
            wrong(fmt::format("{} must be a text of at most {} octets", name, text_max)));
    }
    return found->get<std::string>();
}

Result<Fault> fault_from(const Json& order, const FaultRow& row) {
    constexpr int delay_max_ms = 600'000;
    const Words words = words_of(row.kind);
    const auto count = number_of(order, words.count, row.count, row.count_max);
    const auto code = number_of(order, words.code, row.code, words.code_max);
    const auto delay = number_of(order, "ms", static_cast<int>(row.delay.count()), delay_max_ms);
    const auto at = text_of(order, "at", "pdu");
    const auto text = text_of(order, words.text, row.text);
    for (const Error* error : {count ? nullptr : &count.error(), code ? nullptr : &code.error(),
                               delay ? nullptr : &delay.error(), at ? nullptr : &at.error(),
                               text ? nullptr : &text.error()}) {
        if (error != nullptr) {
            return std::unexpected(*error);
        }
    }
    if (*at != "pdu" && *at != "command") {
        return std::unexpected(wrong("at must be pdu or command"));
    }
    return Fault{.kind = row.kind,
                 .count = *count,
                 .code = *code,
                 .at_command = *at == "command",
                 .delay = std::chrono::milliseconds(*delay),
                 .text = *text};
}

}  // namespace smsrack::modem_sim
