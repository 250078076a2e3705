/// Where the init script is, and when its next command is due.
///
/// Time:    a step that is tried again waits retry_first, then longer, up to retry_last.
/// Threads: the line's thread.
#pragma once

#include "drivers/gsm/backoff.hpp"
#include "drivers/gsm/set_up/init_script.hpp"
#include "src/base/clock.hpp"

#include <chrono>

namespace smsrack::gsm {

class ScriptCursor {
public:
    static constexpr std::chrono::milliseconds retry_first{100};
    static constexpr std::chrono::milliseconds retry_last{5000};

    /// `script` outlives this object.
    explicit ScriptCursor(const InitScript& script) : script_(script) {}

    [[nodiscard]] bool is_running() const { return row_ != nullptr; }
    /// While it runs.
    [[nodiscard]] const InitRow& row() const { return *row_; }
    [[nodiscard]] InitStep step() const { return row_->id; }
    [[nodiscard]] bool has(InitStep step) const { return script_.has(step); }
    [[nodiscard]] SteadyTime due() const { return is_running() ? due_ : never; }

    void stop() { row_ = nullptr; }
    void go_to(InitStep step, SteadyTime now) {
        row_ = &script_.row(step);
        due_ = now;
    }
    /// The next step that is no detour; after the last one it no longer runs.
    void advance(SteadyTime now) {
        row_ = script_.next(row_->id);
        due_ = now;
    }
    void try_at(SteadyTime when) { due_ = when; }
    void try_again(SteadyTime now) { due_ = now + pause_.take(); }
    /// The modem answers as it should: the next pause is short again.
    void reset_pause() { pause_.reset(); }

private:
    const InitScript& script_;
    const InitRow* row_ = nullptr;  // null: not running
    SteadyTime due_ = never;
    Backoff pause_{retry_first, retry_last};
};

}  // namespace smsrack::gsm
