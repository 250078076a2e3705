/// Connects the rack's objects: lines and store call the dispatcher, the receive codec and the
/// subscribers; the receive codec calls the lines.
///
/// The parts know only interfaces, and some of them each other; so they are joined here, after all of them are made.
/// Threads: connect() before the lines start; the calls as their interfaces say. Before connect()
///          nothing is forwarded.
#pragma once

#include "src/codec/receive_codec.hpp"
#include "src/dispatch/boards.hpp"
#include "src/dispatch/dispatcher.hpp"
#include "src/dispatch/flow_meter.hpp"
#include "src/dispatch/self_sms.hpp"
#include "src/notify/event_stream.hpp"
#include "src/ports/line.hpp"
#include "src/ports/store.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace smsrack::host {

struct RackParts {
    dispatch::Dispatcher& dispatcher;
    dispatch::FlowMeter& flow;
    dispatch::PauseBoard& pauses;
    codec::ReceiveCodec& receive_codec;
    notify::EventStream& events;
    std::vector<std::unique_ptr<line::ModemLine>>& lines;
    dispatch::SelfSms& self_sms;
};

class RackLinks final : public ports::LineListener,
                        public ports::StoreListener,
                        public ports::Acknowledger {
public:
    /// `parts` outlives the object, or disconnect() comes before its end.
    void connect(RackParts& parts) { parts_.store(&parts, std::memory_order_release); }

    // -- from the store
    void committed(std::span<const Event> events,
                   std::span<const ports::InboxRow> received) override;
    void work_waits(GroupId group, Level level) override;
    void pauses_changed(const std::vector<ports::Pause>& pauses) override;

    // -- from a line
    void line_ready(ModemId line, SimId sim) override { parts().dispatcher.line_ready(line, sim); }
    void line_lost(ModemId line) override { parts().dispatcher.line_lost(line); }
    void segment_done(ModemId line, ports::SegmentDone done) override {
        parts().dispatcher.segment_done(line, std::move(done));
    }
    void late_answer(ModemId line, ports::LateSegment late) override {
        parts().dispatcher.late_answer(line, late);
    }
    void earlier_attempt(ModemId line, SubmitOutcome outcome) override {
        parts().dispatcher.earlier_attempt(line, outcome);
    }
    void pdus_wait(ModemId line) override { parts().receive_codec.pdus_wait(line); }

    // -- to a line
    void acknowledge(ModemId line, std::uint32_t token) override {
        parts().lines.at(line.value)->acknowledge(token);
    }
    void not_kept(ModemId line, std::uint32_t token) override {
        parts().lines.at(line.value)->not_kept(token);
    }

private:
    [[nodiscard]] RackParts& parts() { return *parts_.load(std::memory_order_acquire); }

    std::atomic<RackParts*> parts_ = nullptr;
};

}  // namespace smsrack::host
