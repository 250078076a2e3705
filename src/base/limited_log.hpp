/// Limits the log so that one noisy source can't fill the disk. Only some lines per minute pass of
/// each event and source; then one line says how many were left out.
///
/// The source is the value of the field `modem` or `account`. Lines without one, and those below info, which an operator
/// has asked for, always pass.
/// Bound:   lines_max of one event and source in a window, plus the line that says what was left out; sources_max sources,
///          the further ones share one.
/// Time:    steady time of the injected Clock.
/// Threads: any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace smsrack {

class LimitedLog final : public Log {
public:
    static constexpr std::uint64_t lines_max = 4;
    static constexpr std::chrono::seconds window{60};
    static constexpr std::size_t sources_max = 4'096;  ///< 256 modems with each of their events

    /// Both outlive it.
    LimitedLog(Log& to, const Clock& clock) : to_(to), clock_(clock) {}
    LimitedLog(const LimitedLog&) = delete;
    LimitedLog& operator=(const LimitedLog&) = delete;
    /// Says what was left out until the end.
    ~LimitedLog() override;

    [[nodiscard]] bool enabled(LogLevel level) const override { return to_.enabled(level); }
    void write(LogLevel level, std::string_view event,
               std::initializer_list<LogField> fields) override;

    /// Says what was left out in windows that are over. To be called each minute, since a source may have fallen silent.
    void say_left_out();

private:
    struct Source {
        SteadyTime since = {};
        std::uint64_t lines = 0;
        std::uint64_t left_out = 0;
    };
    using Key = std::pair<std::string, std::string>;  // event, source

    [[nodiscard]] bool passes(Key key);
    void say(const Key& key, const Source& source);

    Log& to_;
    const Clock& clock_;
    std::mutex mutex_;  // guards what follows
    std::map<Key, Source> sources_;
};

}  // namespace smsrack
