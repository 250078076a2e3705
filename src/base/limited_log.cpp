#include "src/base/limited_log.hpp"

#include <algorithm>

namespace smsrack {
namespace {

const LogField* source_of(std::initializer_list<LogField> fields) {
    const auto* const found = std::ranges::find_if(
        fields, [](const LogField& it) { return it.name == "modem" || it.name == "account"; });
    return found == fields.end() ? nullptr : found;
}

}  // namespace

LimitedLog::~LimitedLog() {
    for (const auto& [key, source] : sources_) {
        say(key, source);
    }
}

void LimitedLog::write(LogLevel level, std::string_view event,
                       std::initializer_list<LogField> fields) {
    if (!to_.enabled(level)) {
        return;
    }
    const LogField* const source = source_of(fields);
    if (source == nullptr || level > LogLevel::info ||
        passes({std::string(event), std::string(source->name) + "=" + source->value})) {
        to_.write(level, event, fields);
    }
}

bool LimitedLog::passes(Key key) {
    const SteadyTime now = clock_.steady();
    Source ended;
    {
        const std::lock_guard lock(mutex_);
        if (sources_.size() >= sources_max && !sources_.contains(key)) {
            std::erase_if(sources_, [&](const auto& it) {
                return it.second.left_out == 0 && now - it.second.since >= window;
            });
            if (sources_.size() >= sources_max) {
                key = {};
            }
        }
        Source& source = sources_.try_emplace(key, Source{.since = now}).first->second;
        if (now - source.since < window) {
            const bool fits = source.lines < lines_max;
            ++(fits ? source.lines : source.left_out);
            return fits;
        }
        ended = std::exchange(source, {.since = now, .lines = 1});
    }
    say(key, ended);
    return true;
}

void LimitedLog::say_left_out() {
    const SteadyTime now = clock_.steady();
    std::map<Key, Source> ended;
    {
        const std::lock_guard lock(mutex_);
        for (auto it = sources_.begin(); it != sources_.end();) {
            const auto next = std::next(it);
            if (now - it->second.since >= window) {
                ended.insert(sources_.extract(it));
            }
            it = next;
        }
    }
    for (const auto& [key, source] : ended) {
        say(key, source);
    }
}

/// Not counted itself: once in a window.
void LimitedLog::say(const Key& key, const Source& source) {
    if (source.left_out > 0) {
        to_.warn("log_left_out",
                 {{"of", key.first}, {"from", key.second}, {"lines", source.left_out}});
    }
}

}  // namespace smsrack
