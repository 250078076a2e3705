#include "tools/modem_model/sms/delivery.hpp"

#include "tools/modem_model/sms/hex.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace smsrack::modem_sim {
namespace {

DeliveryEntry entry_of(const Core& core, const Delivery& delivery, std::string_view how) {
    return {.report = delivery.report,
            .how = how,
            .iccid = core.settings.identity.iccid,
            .id = delivery.id,
            .segment = delivery.segment,
            .segments = delivery.segments,
            .from = delivery.peer,
            .text = delivery.text,
            .mr = delivery.mr,
            .status = delivery.status,
            .pdu = delivery.pdu.octets};
}

void tell_journal(Core& core, SteadyTime at, const Delivery& delivery, std::string_view how,
                  std::size_t place = 0) {
    ++(delivery.report ? core.stats.reports : core.stats.inbound);
    DeliveryEntry entry = entry_of(core, delivery, how);
    entry.place = place;
    core.journal.delivery(at, core.settings.index, entry);
}

enum class Route : std::uint8_t { drop, direct, store };

Route route_of(const Core& core, bool report) {
    const Cnmi& cnmi = core.prefs.sms.cnmi;
    if (report) {
        return cnmi.ds == 0 ? Route::drop : cnmi.ds == 1 ? Route::direct : Route::store;
    }
    return cnmi.mt == 2 ? Route::direct : Route::store;
}

/// Whether the next of this kind could be taken now.
bool has_room(const Core& core, bool report) {
    switch (route_of(core, report)) {
        case Route::store:
            return report ? !core.reports.full() : !core.card.sms.full();
        case Route::direct:
            return core.output.held() < Output::held_max;
        default:
            return true;
    }
}

bool reachable(const Core& core) {
    return core.registered() && !core.output.muted() && !core.unacknowledged;
}

void store(Core& core, SteadyTime at, const Delivery& delivery) {
    SmsMemory& memory = delivery.report ? core.reports : core.card.sms;
    const auto place = memory.add(
        {.pdu = delivery.pdu.octets, .tpdu_length = delivery.pdu.tpdu_length, .id = delivery.id});
    tell_journal(core, at, delivery, "stored", place.value_or(0));
    if (delivery.report) {
        core.output.urc(fmt::format("+CDSI: \"SR\",{}", place.value_or(0)));
    } else if (core.prefs.sms.cnmi.mt != 0) {
        core.output.urc(fmt::format("+CMTI: \"SM\",{}", place.value_or(0)));
    }
}

void give_to_host(Core& core, SteadyTime at, Delivery delivery) {
    const std::string line = fmt::format("{}{}\r\n{}", delivery.report ? "+CDS: " : "+CMT: ,",
                                         delivery.pdu.tpdu_length, to_hex(delivery.pdu.octets));
    if (!core.prefs.sms.phase2plus) {
        tell_journal(core, at, delivery, "direct");
        core.output.urc(line);
        return;
    }
    core.journal.given(at, core.settings.index, entry_of(core, delivery, "given"));
    core.acknowledge_by = at + core.settings.acknowledge_within;
    core.unacknowledged = std::move(delivery);
    core.output.urc(line);
}

void route(Core& core, SteadyTime at, Delivery delivery) {
    switch (route_of(core, delivery.report)) {
        case Route::drop:
            tell_journal(core, at, delivery, "dropped");
            break;
        case Route::direct:
            give_to_host(core, at, std::move(delivery));
            break;
        case Route::store:
            store(core, at, delivery);
            break;
    }
}

void give_back(Core& core, SteadyTime at) {
    if (auto delivery = std::exchange(core.unacknowledged, std::nullopt)) {
        core.smsc.put(at + core.settings.network_retry, std::move(*delivery));
    }
    core.acknowledge_by = never;
}

}  // namespace

void step_delivery(Core& core, SteadyTime at) {
    if (core.acknowledge_by <= at) {
        core.prefs.sms.cnmi.mt = 0;
        core.prefs.sms.cnmi.ds = 0;
        core.journal.fault(at, core.settings.index, "not_acknowledged");
        give_back(core, at);
    }
    for (const bool report : {true, false}) {
        while (core.smsc.due(report) <= at && reachable(core) && has_room(core, report)) {
            Delivery delivery = core.smsc.take(report);
            const auto twice =
                report ? std::nullopt : core.faults.take(FaultKind::duplicate_inbound);
            if (twice) {
                core.smsc.put(at + twice->delay, delivery);
            }
            route(core, at, std::move(delivery));
        }
    }
}

SteadyTime delivery_deadline(const Core& core) {
    SteadyTime deadline = core.acknowledge_by;
    for (const bool report : {true, false}) {
        if (reachable(core) && has_room(core, report)) {
            deadline = std::min(deadline, core.smsc.due(report));
        }
    }
    return deadline;
}

bool acknowledge(Core& core, SteadyTime at, bool positive) {
    if (!core.unacknowledged) {
        return false;
    }
    if (positive) {
        tell_journal(core, at, *core.unacknowledged, "acknowledged");
        core.confirms = !core.unacknowledged->report;
        core.unacknowledged.reset();
        core.acknowledge_by = never;
    } else {
        give_back(core, at);
    }
    return true;
}

}  // namespace smsrack::modem_sim
