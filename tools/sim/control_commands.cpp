#include "tools/sim/control_commands.hpp"

#include "src/wire/json.hpp"

#include <fmt/format.h>
#include <optional>
#include <vector>

namespace smsrack::sim {
namespace {

using wire::Json;

Error wrong(std::string text) {
    return {.code = Errc::bad_request, .context = std::move(text)};
}

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

Result<std::string> text_of(const Json& order, const char* name, const char* otherwise) {
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

/// The modem named, or all of them where none is.
Result<std::vector<std::size_t>> modems_of(const Rack& rack, const Json& order) {
    std::vector<std::size_t> all;
    if (!order.contains("modem")) {
        for (std::size_t i = 0; i < rack.size(); ++i) {
            all.push_back(i);
        }
        return all;
    }
    const auto one = number_of(order, "modem", 0, static_cast<int>(rack.size()) - 1);
    if (!one) {
        return std::unexpected(one.error());
    }
    all.push_back(static_cast<std::size_t>(*one));
    return all;
}

Result<Fault> fault_from(const Json& order, FaultKind kind) {
    constexpr int count_max = 1'000'000;
    constexpr int code_max = 999;
    constexpr int delay_max_ms = 600'000;
    const bool octets = kind == FaultKind::garbage || kind == FaultKind::split;
    const auto count = number_of(order, "count", octets ? 40 : 1, octets ? 4096 : count_max);
    const auto code = number_of(order, "code", 500, code_max);
    const auto delay = number_of(order, "ms", 1000, delay_max_ms);
    const auto at = text_of(order, "at", "pdu");
    if (!count || !code || !delay || !at) {
        return std::unexpected(!count   ? count.error()
                               : !code  ? code.error()
                               : !delay ? delay.error()
                                        : at.error());
    }
    if (*at != "pdu" && *at != "command") {
        return std::unexpected(wrong("at must be pdu or command"));
    }
    return Fault{.kind = kind,
                 .count = *count,
                 .code = *code,
                 .at_command = *at == "command",
                 .delay = std::chrono::milliseconds(*delay)};
}

Result<Json> do_fault(Rack& rack, SteadyTime now, const Json& order, FaultKind kind) {
    const auto modems = modems_of(rack, order);
    const auto fault = fault_from(order, kind);
    if (!modems || !fault) {
        return std::unexpected(!modems ? modems.error() : fault.error());
    }
    for (const std::size_t modem : *modems) {
        rack.port(modem).modem().inject(now, *fault);
    }
    return Json::object();
}

Result<Json> do_plug(Rack& rack, SteadyTime now, const Json& order, bool plugged) {
    const auto modems = modems_of(rack, order);
    if (!modems) {
        return std::unexpected(modems.error());
    }
    for (const std::size_t modem : *modems) {
        if (!plugged) {
            rack.port(modem).unplug();
        } else if (auto opened = rack.port(modem).replug(now); !opened) {
            return std::unexpected(opened.error());
        }
    }
    return Json::object();
}

Result<Json> do_inbound(Rack& rack, SteadyTime now, const Json& order) {
    constexpr int count_max = 100'000;
    const auto modems = modems_of(rack, order);
    const auto count = number_of(order, "count", 1, count_max);
    const auto from = text_of(order, "from", "");
    const auto text = text_of(order, "text", "inbound {id}");
    if (!modems || !count || !from || !text) {
        return std::unexpected(!modems  ? modems.error()
                               : !count ? count.error()
                               : !from  ? from.error()
                                        : text.error());
    }
    if (from->size() > 21 || *from == "+") {
        return std::unexpected(wrong("from must be a number or name of at most 21 characters"));
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
        if (!rack.send_inbound(now, (*modems)[i % modems->size()], *from, *text)) {
            return std::unexpected(wrong(fmt::format("only {} went out: too many wait", i)));
        }
    }
    return Json::object();
}

/// From whom the modem last sent to.
Result<Json> do_reply(Rack& rack, SteadyTime now, const Json& order) {
    const auto modems = modems_of(rack, order);
    const auto text = text_of(order, "text", "reply {id}");
    if (!modems || !text) {
        return std::unexpected(!modems ? modems.error() : text.error());
    }
    for (const std::size_t modem : *modems) {
        const std::string to = rack.port(modem).modem().model().core().last_destination;
        if (to.empty()) {
            return std::unexpected(wrong(fmt::format("modem {} has sent nothing yet", modem)));
        }
        if (!rack.send_inbound(now, modem, to, *text)) {
            return std::unexpected(wrong("too many wait"));
        }
    }
    return Json::object();
}

Json stats_of(Rack& rack) {
    Json modems = Json::array();
    for (std::size_t i = 0; i < rack.size(); ++i) {
        const Core& core = rack.port(i).modem().model().core();
        modems.push_back({{"modem", i},
                          {"imei", core.settings.identity.imei},
                          {"iccid", core.settings.identity.iccid},
                          {"plugged", rack.port(i).plugged()},
                          {"registered", core.registered()},
                          {"submits", core.stats.submits},
                          {"refused", core.stats.refused},
                          {"reports", core.stats.reports},
                          {"reports_waiting", core.smsc.waiting(true)},
                          {"inbound", core.stats.inbound},
                          {"inbound_waiting", core.smsc.waiting(false)},
                          {"unacknowledged", core.unacknowledged ? 1 : 0},
                          {"stored", core.card.sms.used()},
                          {"stored_reports", core.reports.used()},
                          {"deleted", core.stats.deleted},
                          {"lost_octets", core.stats.lost_octets}});
    }
    return {{"modems", std::move(modems)}};
}

Result<Json> obey(Rack& rack, SteadyTime now, const Json& order) {
    const auto what = text_of(order, "do", "");
    if (!what) {
        return std::unexpected(what.error());
    }
    if (const auto kind = fault_of(*what)) {
        return do_fault(rack, now, order, *kind);
    }
    if (*what == "unplug" || *what == "replug") {
        return do_plug(rack, now, order, *what == "replug");
    }
    if (*what == "inbound") {
        return do_inbound(rack, now, order);
    }
    if (*what == "reply") {
        return do_reply(rack, now, order);
    }
    if (*what == "stats") {
        return stats_of(rack);
    }
    if (*what == "quit") {
        return Json::object();
    }
    return std::unexpected(wrong("do: unknown: " + *what));
}

}  // namespace

ControlAnswer run_control_line(Rack& rack, SteadyTime now, std::string_view line) {
    auto order = wire::parse_json(line);
    Result<Json> done = !order ? std::unexpected(order.error())
                        : order->is_object()
                            ? obey(rack, now, *order)
                            : std::unexpected(wrong("one JSON object a line, please"));
    if (!done) {
        return {.line = Json{{"ok", false}, {"error", done.error().context}}.dump()};
    }
    (*done)["ok"] = true;
    const bool quit = order->value("do", "") == "quit";
    return {.line = done->dump(), .quit = quit};
}

}  // namespace smsrack::sim
