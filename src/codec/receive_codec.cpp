#include "src/codec/receive_codec.hpp"

#include "src/codec/inbound.hpp"

#include <utility>

namespace smsrack::codec {

void ReceiveCodec::add_line(ReceivingLine about, queue::ReceiveQueue& received,
                            ports::Acknowledger& line) {
    lines_.emplace_back(std::move(about), received, line);
}

/// One job at a time for each line: the caller that raises `waiting` from 0 starts it.
void ReceiveCodec::pdus_wait(ModemId line) {
    if (lines_.at(line.value).waiting.fetch_add(1, std::memory_order_acq_rel) == 0) {
        world_.pool.post([this, line] { run(line); });
    }
}

void ReceiveCodec::run(ModemId id) {
    Line& line = lines_[id.value];
    unsigned taken = line.waiting.load(std::memory_order_acquire);
    while (taken > 0) {
        queue::ReceivedOctets pdu;
        for (unsigned i = 0; i < taken && line.received.pop(pdu); ++i) {
            keep(id, pdu);
        }
        taken = line.waiting.fetch_sub(taken, std::memory_order_acq_rel) - taken;
    }
}

void ReceiveCodec::keep(ModemId id, const queue::ReceivedOctets& pdu) {
    const Line& line = lines_[id.value];
    auto inbound = read_inbound(
        pdu.view(), {.modem = line.about.name,
                     .sim = pdu.sim,
                     .at = world_.clock.wall(),
                     .own_number = line.about.own_number ? line.about.own_number() : std::string(),
                     .plan = line.about.plan,
                     .held_at = pdu.held_at,
                     .heard_at = pdu.heard_at,
                     .noted_at = pdu.noted_at});
    if (auto* report = std::get_if<StatusReport>(&inbound)) {
        keep_report(id, pdu.token, std::move(*report));
    } else {
        keep_segment(id, pdu.token, std::move(std::get<InboundSegment>(inbound)));
    }
}

void ReceiveCodec::keep_segment(ModemId id, std::uint32_t token, InboundSegment segment) {
    const bool undecodable = segment.kind == InboundKind::undecodable;
    world_.store.post(ports::KeepInbound{std::move(segment)}, [this, id, token, undecodable](
                                                                  Result<InboundKept> kept) {
        if (!kept) {
            return not_kept("inbound_not_kept", id, token, kept.error());
        }
        world_.stats.add(stats::Counter::inbound_segments);
        if (kept->duplicate) {
            world_.stats.add(stats::Counter::inbound_duplicate);
        } else if (undecodable) {
            world_.stats.add(stats::Counter::inbound_undecodable);
        } else if (kept->discarded) {  // a sender asks whether the SIM is reachable
            world_.stats.add(stats::Counter::inbound_silent);
            world_.log.info("silent_message", {{"modem", lines_[id.value].about.name}});
        }
        if (kept->maybe_repeat) {
            world_.stats.add(stats::Counter::inbound_maybe_repeat);
        }
        if (kept->self_sms) {
            world_.stats.observe(stats::Timing::self_sms, *kept->self_sms);
        }
        if (kept->stop != StopHeard::none) {
            world_.stats.add(kept->stop == StopHeard::counted ? stats::Counter::stops_counted
                                                              : stats::Counter::stops_ignored);
        }
        if (kept->inbox.value != 0) {
            world_.stats.add(stats::Counter::inbound_messages);
        }
        lines_[id.value].acknowledger.acknowledge(token);
    });
}

void ReceiveCodec::keep_report(ModemId id, std::uint32_t token, StatusReport report) {
    world_.store.post(ports::KeepReport{std::move(report)},
                      [this, id, token](Result<ReportKept> kept) {
                          if (!kept) {
                              return not_kept("report_not_kept", id, token, kept.error());
                          }
                          if (kept->duplicate) {
                              world_.stats.add(stats::Counter::reports_duplicate);
                          } else {
                              world_.stats.add(kept->matched ? stats::Counter::reports_matched
                                                             : stats::Counter::reports_unmatched);
                          }
                          lines_[id.value].acknowledger.acknowledge(token);
                      });
}

void ReceiveCodec::not_kept(std::string_view event, ModemId id, std::uint32_t token,
                            const Error& why) {
    world_.log.error(event, {{"modem", lines_[id.value].about.name}, {"error", why.context}});
    lines_[id.value].acknowledger.not_kept(token);
}

}  // namespace smsrack::codec
