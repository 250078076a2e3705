#include "tools/modem_model/sms/submit.hpp"

#include "src/base/check.hpp"
#include "tools/modem_model/faults/chance.hpp"
#include "tools/modem_model/faults/line_noise.hpp"
#include "tools/modem_model/sms/delivery.hpp"
#include "tools/modem_model/sms/hex.hpp"
#include "tools/modem_model/sms/report_plan.hpp"
#include "tools/modem_model/sms/text_mode.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr int cms_invalid_pdu = 304;
constexpr int cms_invalid_text = 305;
constexpr int cms_memory_full = 322;
constexpr int cms_centre_unknown = 330;
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

/// The PDU, typed or made of the text that was typed.
std::optional<NetworkPdu> pdu_of(const Core& core, const Entry& entry) {
    if (!entry.number.empty()) {
        return submit_of(entry.number, entry.typed, plain_value(core.prefs.general, "+CSMP"));
    }
    auto octets = from_hex(entry.typed);
    return octets ? std::optional(
                        NetworkPdu{.octets = std::move(*octets), .tpdu_length = entry.tpdu_length})
                  : std::nullopt;
}

std::optional<ReadEntry> read_entry(const Core& core, const Entry& entry) {
    auto pdu = pdu_of(core, entry);
    if (!pdu) {
        return std::nullopt;
    }
    auto submit = read_submit(pdu->octets, pdu->tpdu_length);
    if (!submit) {
        return std::nullopt;
    }
    return ReadEntry{.pdu = std::move(pdu->octets),
                     .tpdu_length = pdu->tpdu_length,
                     .submit = std::move(*submit)};
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
    const auto place = core.writing_memory().add({.status = SmsStatus::unsent,
                                                  .pdu = std::move(entry.pdu),
                                                  .tpdu_length = entry.tpdu_length});
    return place ? info(fmt::format("+CMGW: {}", *place)) : cms(cms_memory_full);
}

/// The number after the last: EF-SMSS counts 0..255.
int next_mr(Core& core) {
    core.card.last_mr = (core.card.last_mr + 1) % 256;
    return core.card.last_mr;
}

int refusal_by_network(Core& core, bool card_left) {
    if (card_left) {
        return cms_sim_absent;
    }
    if (!core.registered()) {
        return cms_network_timeout;
    }
    if (const auto fault = core.faults.take(FaultKind::cms_error)) {
        return fault->code;
    }
    return 0;
}

void decide(Core& core, InFlight& in_flight) {
    const SteadyTime at = std::exchange(in_flight.decided_at, never);
    in_flight.answered_at = at;
    if (const int code = refusal_by_network(core, in_flight.card_left); code != 0) {
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
                         .iccid = core.settings.identity.iccid,
                         .mr = mr,
                         .service = in_flight.service,
                         .gaps = core.gaps});
    if (in_flight.submit.report_requested) {
        in_flight.answered_at += plan_report(core, at, in_flight.submit, mr);
    }
    if (core.faults.take(FaultKind::lose_answer)) {
        core.journal.fault(at, core.settings.index, "answer_lost");
        return;
    }
    if (const auto late = core.faults.take(FaultKind::late_answer)) {
        in_flight.answered_at += late->delay;
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
        if (const auto fault = core.faults.take_at_command()) {
            ++core.stats.refused;
            return cms(fault->code);
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
    auto read = read_entry(core, entry);
    if (!read && entry.purpose != EntryFor::acknowledge) {
        (void)core.apply(InputEvent::refused);
        core.output.hold(false);
        return cms(entry.number.empty() ? cms_invalid_pdu : cms_invalid_text);
    }
    if (entry.purpose == EntryFor::send) {
        if (core.card.centre.empty() && read->pdu.front() == '\0') {
            (void)core.apply(InputEvent::refused);
            core.output.hold(false);
            return cms(cms_centre_unknown);
        }
        Answer answer = give_to_network(core, at,
                                        {.pdu = std::move(read->pdu),
                                         .submit = std::move(read->submit),
                                         .card_left = entry.card_left});
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
    StoredSms* stored = core.writing_memory().at(place);
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
        if (!in_flight.answer.empty() && core.faults.take(FaultKind::interleave)) {
            core.output.line("+CREG: 1");
        }
        if (!in_flight.answer.empty()) {
            core.output.write(
                through_noise(core, with_torn_reference(core, std::move(in_flight.answer))));
        }
        core.in_flight.reset();
        const bool known = core.apply(InputEvent::answered);
        SMSRACK_CHECK(known);
    }
}

SteadyTime submit_deadline(const Core& core) {
    return core.in_flight ? std::min(core.in_flight->decided_at, core.in_flight->answered_at)
                          : never;
}

}  // namespace smsrack::modem_sim
