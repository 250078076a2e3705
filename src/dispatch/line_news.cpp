#include "src/dispatch/line_news.hpp"

#include "src/base/time_text.hpp"

#include <utility>

namespace smsrack::dispatch {

void LineNews::event(ModemId line, std::string detail) {
    store_.keep_event(EventType::modem_state, board_.name(line), std::move(detail));
}

void LineNews::gate(ModemId line, ports::LineGate gate, bool holds) {
    board_.gate(line, gate, holds);
    log_.info("line_gate",
              {{"modem", board_.name(line)}, {"gate", line_gate_name(gate)}, {"holds", holds}});
    event(line, std::string(line_gate_name(gate)));
}

void LineNews::drained(ModemId line, ports::LineGate gate) {
    board_.gate(line, gate, false);
    log_.info("line_drained", {{"modem", board_.name(line)}});
    event(line, "drained");
}

void LineNews::refused(ModemId line, Cause cause, std::chrono::milliseconds pause) {
    log_.warn(
        "line_cooling",
        {{"modem", board_.name(line)}, {"cause", cause.code}, {"seconds", pause.count() / 1000}});
    cools(line, pause);
}

void LineNews::cools(ModemId line, std::chrono::nanoseconds left) {
    const WallTime ends = clock_.wall() + std::chrono::ceil<std::chrono::milliseconds>(left);
    board_.pause(line, ports::LinePause{.reason = "cooling", .until = ends});
    event(line, "cooling until " + time_text(ends));
}

void LineNews::cooled(ModemId line) {
    board_.pause(line, std::nullopt);
    log_.info("line_cooled", {{"modem", board_.name(line)}});
    event(line, "active");
}

}  // namespace smsrack::dispatch
