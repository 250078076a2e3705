#include "tools/sim_model/submit.hpp"

#include "src/base/check.hpp"
#include "tools/sim_model/chance.hpp"
#include "tools/sim_model/delivery.hpp"
#include "tools/sim_model/hex.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace smsrack::sim {
namespace {

constexpr int cms_invalid_pdu = 304;
constexpr int cms_memory_full = 322;
constexpr int cms_no_network = 331;
constexpr int cms_network_timeout = 332;

std::chrono::microseconds draw_service(Core& core) {
    const ServiceTime& service = core.settings.service;
    if (!service.exponential) {
        return service.mean;
    }
    return std::chrono::microseconds(
        std::llround(static_cast<double>(service.mean.count()) * exponential(core.random)));
}

/// What an entry is good for: the PDU and what is in it.
struct ReadEntry {
    std::string pdu;
    std::size_t tpdu_length;
    Submit submit;
};

std::optional<ReadEntry> read_entry(const Entry& entry) {
    const auto pdu = from_hex(entry.typed);
    if (!pdu) {
        return std::nullopt;
    }
    auto submit = read_submit(*pdu, entry.tpdu_length);
    if (!submit) {
        return std::nullopt;
    }
    return ReadEntry{.pdu = *pdu, .tpdu_length = entry.tpdu_length, .submit = std::move(*submit)};
}

Answer give_to_network(Core& core, SteadyTime at, InFlight in_flight) {
    const bool taken = core.apply(InputEvent::submitted);
    SMSRACK_CHECK(taken);
    in_flight.service = draw_service(core);
    in_flight.decided_at = at + in_flight.service;
    core.in_flight = std::move(in_flight);
    return {.final = Final::later};
}

Answer store_entry(Core& core, ReadEntry entry) {
    const auto place = core.card.sms.add({.status = SmsStatus::unsent,
                                          .pdu = std::move(entry.pdu),
                                          .tpdu_length = entry.tpdu_length});
    return place ? info(fmt::format("+CMGW: {}", *place)) : cms(cms_memory_full);
}

/// The number after the last: EF-SMSS counts 0..255.
int next_mr(Core& core) {
    core.card.last_mr = (core.card.last_mr + 1) % 256;
    return core.card.last_mr;
}

void plan_report(Core& core, SteadyTime at, const InFlight& done, int mr) {
    if (!done.submit.report_requested || !core.settings.report_delay ||
        FaultPlan::take(core.faults.lose_report)) {
        return;
    }
    constexpr std::uint8_t validity_expired = 0x46;
    const bool failed = even(core.random) < core.settings.report_fail;
    const SteadyTime due = at + *core.settings.report_delay;
    const Report report{.mr = static_cast<std::uint8_t>(mr),
                        .destination_field = done.submit.destination_field,
                        .sent = core.settings.time_base.wall_at(at),
                        .done = core.settings.time_base.wall_at(due),
                        .status = failed ? validity_expired : std::uint8_t{0}};
    core.smsc.put(due, {.pdu = make_status_report(report),
                        .report = true,
                        .peer = done.submit.destination,
                        .mr = mr,
                        .status = report.status});
}

int refusal_by_network(Core& core) {
    if (FaultPlan::take(core.faults.cms_at_pdu)) {
        return core.faults.cms_code;
    }
    return core.registered() ? 0 : cms_network_timeout;
}

void decide(Core& core, InFlight& in_flight) {
    const SteadyTime at = std::exchange(in_flight.decided_at, never);
    in_flight.answered_at = at;
    if (const int code = refusal_by_network(core); code != 0) {
        ++core.stats.refused;
        core.journal.refused(at, core.settings.index, code);
        in_flight.answer = "\r\n" + final_text(core, Final::cms, code) + "\r\n";
        return;
    }
    const int mr = next_mr(core);
    ++core.stats.submits;
    core.last_destination = in_flight.submit.destination;
    core.journal.submit(at, core.settings.index,
                        {.pdu = in_flight.pdu,
                         .to = in_flight.submit.destination,
                         .mr = mr,
                         .service = in_flight.service,
                         .gaps = core.gaps});
    plan_report(core, at, in_flight, mr);
    if (FaultPlan::take(core.faults.lose_answer)) {
        core.journal.fault(at, core.settings.index, "answer_lost");
        return;
    }
    if (FaultPlan::take(core.faults.late_answer)) {
        in_flight.answered_at += core.faults.late_by;
    }
    in_flight.answer =
        fmt::format("\r\n+CM{}S: {}\r\n\r\nOK\r\n", in_flight.from_memory ? 'S' : 'G', mr);
}

}  // namespace

Answer begin_entry(Core& core, Entry entry) {
    if (const int trouble = sms_trouble(core); trouble != 0) {
        return cms(trouble);
    }
    if (entry.purpose == EntryFor::send) {
        if (!core.registered()) {
            return cms(cms_no_network);
        }
        if (FaultPlan::take(core.faults.cms_at_command)) {
            ++core.stats.refused;
            return cms(core.faults.cms_code);
        }
    }
    if (!core.apply(InputEvent::prompt)) {
        return error();
    }
    core.entry = std::move(entry);
    core.output.hold(true);
    return {.final = Final::prompt};
}

Answer finish_entry(Core& core, SteadyTime at) {
    const Entry entry = std::exchange(core.entry, {});
    auto read = read_entry(entry);
    if (!read && entry.purpose != EntryFor::acknowledge) {
        (void)core.apply(InputEvent::refused);
        core.output.hold(false);
        return cms(cms_invalid_pdu);
    }
    if (entry.purpose == EntryFor::send) {
        Answer answer = give_to_network(
            core, at, {.pdu = std::move(read->pdu), .submit = std::move(read->submit)});
        core.output.hold(false);
        return answer;
    }
    (void)core.apply(InputEvent::stored);
    core.output.hold(false);
    if (entry.purpose == EntryFor::write) {
        return store_entry(core, std::move(*read));
    }
    return acknowledge(core, at, true) ? ok() : cms(cms_no_acknowledgement_expected);
}

Answer send_stored(Core& core, SteadyTime at, std::size_t place) {
    if (const int trouble = sms_trouble(core); trouble != 0) {
        return cms(trouble);
    }
    if (!core.registered()) {
        return cms(cms_no_network);
    }
    StoredSms* stored = core.card.sms.at(place);
    if (stored == nullptr) {
        return cms(cms_invalid_index);
    }
    auto submit = read_submit(stored->pdu, stored->tpdu_length);
    if (!submit) {
        return cms(cms_operation_not_allowed);  // a received message
    }
    stored->status = SmsStatus::sent;
    return give_to_network(core, at,
                           {.pdu = stored->pdu, .submit = std::move(*submit), .from_memory = true});
}

void step_submit(Core& core, SteadyTime at) {
    if (!core.in_flight) {
        return;
    }
    InFlight& in_flight = *core.in_flight;
    if (in_flight.decided_at <= at) {
        decide(core, in_flight);
    }
    if (in_flight.answered_at <= at) {
        if (!in_flight.answer.empty() && FaultPlan::take(core.faults.interleave)) {
            core.output.line("+CREG: 1");
        }
        core.output.write(in_flight.answer);
        core.in_flight.reset();
        const bool known = core.apply(InputEvent::answered);
        SMSRACK_CHECK(known);
    }
}

SteadyTime submit_deadline(const Core& core) {
    return core.in_flight ? std::min(core.in_flight->decided_at, core.in_flight->answered_at)
                          : never;
}

}  // namespace smsrack::sim
