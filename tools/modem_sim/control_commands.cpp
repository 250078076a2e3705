#include "tools/modem_sim/control_commands.hpp"

#include "src/wire/json.hpp"
#include "tools/modem_model/sms/hex.hpp"
#include "tools/modem_model/sms/tpdu.hpp"
#include "tools/modem_sim/fault_order.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace smsrack::modem_sim {
namespace {

using wire::Json;

Error wrong(std::string text) {
    return {.code = Errc::bad_request, .context = std::move(text)};
}

/// The modem named, or all of them where none is.
Result<std::vector<std::size_t>> modems_of(std::size_t rack_size, const Json& order) {
    std::vector<std::size_t> all;
    if (!order.contains("modem")) {
        for (std::size_t i = 0; i < rack_size; ++i) {
            all.push_back(i);
        }
        return all;
    }
    const auto one = number_of(order, "modem", 0, static_cast<int>(rack_size) - 1);
    if (!one) {
        return std::unexpected(one.error());
    }
    all.push_back(static_cast<std::size_t>(*one));
    return all;
}

Result<Json> do_fault(Rack& rack, SteadyTime now, const Json& order, const FaultRow& row) {
    const auto modems = modems_of(rack.size(), order);
    const auto fault = fault_from(order, row);
    if (!modems || !fault) {
        return std::unexpected(!modems ? modems.error() : fault.error());
    }
    for (const std::size_t modem : *modems) {
        if (auto done = rack.port(modem).inject(now, *fault); !done) {
            return std::unexpected(done.error());
        }
    }
    return Json::object();
}

/// What of a message is given as octets: the whole PDU, its time stamp, the reference of its parts.
Result<Inbound> inbound_from(const Json& order) {
    constexpr int reference_max = 255;  // of 8 bits
    const auto pdu = text_of(order, "pdu", "");
    const auto stamp = text_of(order, "stamp", "");
    const auto reference = number_of(order, "reference", 0, reference_max);
    auto octets = from_hex(pdu ? *pdu : std::string());
    auto stamp_octets = from_hex(stamp ? *stamp : std::string());
    if (!pdu || !octets) {
        return std::unexpected(wrong("pdu must be hexadecimal digits"));
    }
    if (!stamp || !stamp_octets ||
        (!stamp_octets->empty() && stamp_octets->size() != time_stamp_size)) {
        return std::unexpected(wrong("stamp must be 14 hexadecimal digits, as in the PDU"));
    }
    if (!reference) {
        return std::unexpected(reference.error());
    }
    Inbound message{.pdu = *std::move(octets), .time_stamp = *std::move(stamp_octets)};
    if (order.contains("reference")) {
        message.reference = static_cast<std::uint8_t>(*reference);
    }
    return message;
}

Result<Json> do_inbound(Rack& rack, SteadyTime now, const Json& order) {
    constexpr int count_max = 100'000;
    const auto modems = modems_of(rack.size(), order);
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
    auto message = inbound_from(order);
    if (!message) {
        return std::unexpected(message.error());
    }
    message->from = *from;
    message->text = *text;
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
        if (!rack.send_inbound(now, (*modems)[i % modems->size()], *message)) {
            return std::unexpected(wrong(
                fmt::format("only {} were sent: too many are waiting, or the pdu is invalid", i)));
        }
    }
    return Json::object();
}

/// From whom the modem last sent to.
Result<Json> do_reply(Rack& rack, SteadyTime now, const Json& order) {
    const auto modems = modems_of(rack.size(), order);
    const auto text = text_of(order, "text", "reply {id}");
    if (!modems || !text) {
        return std::unexpected(!modems ? modems.error() : text.error());
    }
    for (const std::size_t modem : *modems) {
        const std::string to = rack.port(modem).modem().model().core().last_destination;
        if (to.empty()) {
            return std::unexpected(wrong(fmt::format("modem {} has sent nothing yet", modem)));
        }
        if (!rack.send_inbound(now, modem, {.from = to, .text = *text})) {
            return std::unexpected(wrong("too many are waiting"));
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
                          {"baud", core.prefs.general.baud},
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
                          {"calls_hung_up", core.stats.calls_hung_up},
                          {"lost_octets", core.stats.lost_octets}});
    }
    return {{"modems", std::move(modems)}};
}

Result<Json> do_quit(Rack&, SteadyTime, const Json&) {
    return Json::object();
}

Result<Json> do_stats(Rack& rack, SteadyTime, const Json&) {
    return stats_of(rack);
}

Result<Json> do_calm(Rack& rack, SteadyTime now, const Json&) {
    if (auto calm = rack.calm(now); !calm) {
        return std::unexpected(calm.error());
    }
    return Json::object();
}

/// The orders that are no faults.
struct OrderRow {
    std::string_view name;
    Result<Json> (*run)(Rack& rack, SteadyTime now, const Json& order);
};
constexpr std::array orders{
    OrderRow{"inbound", do_inbound}, OrderRow{"reply", do_reply}, OrderRow{"calm", do_calm},
    OrderRow{"stats", do_stats},     OrderRow{"quit", do_quit},
};

const OrderRow* find_order(std::string_view name) {
    const auto* found = std::ranges::find(orders, name, &OrderRow::name);
    return found == orders.end() ? nullptr : found;
}

}  // namespace

Result<> check_order(std::size_t modems, const Json& order) {
    const auto what = text_of(order, "do", "");
    const auto which = modems_of(modems, order);
    if (!what || !which) {
        return std::unexpected(!what ? what.error() : which.error());
    }
    const FaultRow* fault = find_fault(*what);
    if (fault == nullptr && find_order(*what) == nullptr) {
        return std::unexpected(wrong("do: unknown: " + *what));
    }
    if (fault != nullptr) {
        if (const auto read = fault_from(order, *fault); !read) {
            return std::unexpected(read.error());
        }
    }
    return {};
}

Result<Json> run_order(Rack& rack, SteadyTime now, const Json& order) {
    if (auto known = check_order(rack.size(), order); !known) {
        return std::unexpected(known.error());
    }
    const auto what = order.value("do", "");
    const FaultRow* fault = find_fault(what);
    return fault != nullptr ? do_fault(rack, now, order, *fault)
                            : find_order(what)->run(rack, now, order);
}

ControlAnswer run_control_line(Rack& rack, SteadyTime now, std::string_view line) {
    auto order = wire::parse_json(line);
    Result<Json> done = !order ? std::unexpected(order.error())
                        : order->is_object()
                            ? run_order(rack, now, *order)
                            : std::unexpected(wrong("expected one JSON object per line"));
    if (!done) {
        return {.line = Json{{"ok", false}, {"error", done.error().context}}.dump()};
    }
    (*done)["ok"] = true;
    const bool quit = order->value("do", "") == "quit";
    return {.line = done->dump(), .quit = quit};
}

}  // namespace smsrack::modem_sim
