#include "tests/fleet/days/fleet_watch.hpp"

#include "src/base/hash.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::test {
namespace {

constexpr std::size_t story_lines = 80;

bool is_unsent(MessageState state) {
    return state == MessageState::expired || state == MessageState::cancelled;
}

bool is_end(MessageState state) {
    return is_final(state) || state == MessageState::sent;
}

}  // namespace

FleetWatch::FleetWatch(const EngineModel& engine, const Clock& clock, std::string rule)
    : engine_(engine), clock_(clock), rule_(std::move(rule)) {}

FleetWatch::Message& FleetWatch::message(const std::string& text) {
    return messages_.at(by_text_.at(text));
}

void FleetWatch::add(std::string about, std::string what) {
    const auto at = clock_.steady();
    fingerprint_ = hash64(
        fmt::format("{:016x} {} {} {}", fingerprint_, at.time_since_epoch().count(), about, what));
    lines_.push_back({.at = at, .about = std::move(about), .what = std::move(what)});
}

void FleetWatch::wrong(std::string_view rule, std::string what, const std::string& about) {
    if (!violation_ && (rule_.empty() || rule_ == rule)) {
        violation_ = {.rule = std::string(rule), .what = std::move(what), .about = about};
    }
}

const EngineState::Row* FleetWatch::in_engine(MessageId id) const {
    const auto& all = engine_.state().messages();
    const auto row = all.find(id);
    return row == all.end() ? nullptr : &row->second;
}

std::string FleetWatch::where(MessageId id) const {
    const EngineState::Row* row = in_engine(id);
    if (row == nullptr) {
        return "not in the engine";
    }
    const auto stage = ports::shared_stage_names.at(static_cast<std::size_t>(row->stage));
    return row->stage == ports::SharedStage::ended
               ? fmt::format("{} in the engine as {}", stage, message_state_name(row->state))
               : fmt::format("{} in the engine, box {}, epoch {}", stage, row->seat.box.value,
                             row->seat.epoch.value);
}

void FleetWatch::accepted(std::size_t box, MessageId id, const std::string& text) {
    by_text_[text] = messages_.size();
    by_id_[id] = messages_.size();
    messages_.push_back({.text = text, .box = box, .id = id});
    add(text, fmt::format("box {} accepts it as {}", box + 1, id.value));
}

void FleetWatch::begins(std::size_t box, const std::string& text) {
    const Message& it = message(text);
    add(text, fmt::format("box {} begins it ({})", box + 1, where(it.id)));
    const EngineState::Row* row = in_engine(it.id);
    const bool is_lone = row == nullptr && it.box == box;
    const bool is_own = row != nullptr && row->stage == ports::SharedStage::firm &&
                        row->seat.box.value == static_cast<std::int32_t>(box) + 1;
    // What was firm before a restore is sent all the same: the box alone knows.
    if (!is_lone && !is_own && !engine_.is_forgetful()) {
        wrong("firm", fmt::format("box {} begins {}, which is {}", box + 1, text, where(it.id)),
              text);
    }
}

void FleetWatch::leaves(std::size_t box, const std::string& text) {
    Message& it = message(text);
    it.left.push_back(box);
    add(text, fmt::format("box {} has sent it", box + 1));
    const bool may_twice = engine_.is_decided(it.id);
    if (it.left.size() > 1 && !may_twice) {
        wrong("once",
              fmt::format("{} is sent by box {}, and by box {} again", text, it.left.front() + 1,
                          box + 1),
              text);
    }
    if (it.unsent && !may_twice) {
        wrong("truth",
              fmt::format("{} is sent by box {}, and was called {}", text, box + 1,
                          message_state_name(*it.unsent)),
              text);
    }
}

void FleetWatch::says(std::size_t box, const Event& event) {
    const auto found = by_id_.find(shown_message(event));
    if (event.type != EventType::message_state || found == by_id_.end()) {
        return;
    }
    Message& it = messages_.at(found->second);
    const auto state = message_state_name(event.state);
    add(it.text, fmt::format("box {} says {} {}", box + 1, state, event.detail));
    const auto before = said_.find({box, it.id});
    if (before != said_.end()) {
        wrong("forward",
              fmt::format("{} is {} by box {}, which has said {}", it.text, state, box + 1,
                          message_state_name(before->second)),
              it.text);
    }
    if (is_end(event.state)) {
        said_[{box, it.id}] = event.state;
    }
    if (event.state == MessageState::sent && it.left.empty()) {
        wrong("truth", fmt::format("{} is called sent by box {}, and was not", it.text, box + 1),
              it.text);
    }
    if (engine_.is_decided(it.id) && event.state == MessageState::failed &&
        event.detail != "outcome_unknown") {
        wrong("truth",
              fmt::format("{} is called failed by box {}, which does not say that it may be sent",
                          it.text, box + 1),
              it.text);
    }
    if (is_unsent(event.state)) {
        it.unsent = event.state;
        // Of one that was decided to be sent again, the box that got it knows nothing of the first time.
        const bool may_not_know = engine_.is_decided(it.id);
        if (!it.left.empty() && !may_not_know) {
            wrong("truth",
                  fmt::format("{} is called {} by box {}, and was sent", it.text, state, box + 1),
                  it.text);
        }
    }
}

std::vector<std::string> FleetWatch::story() const {
    std::vector<std::string> story;
    const std::string about = violation_ ? violation_->about : "";
    const auto first =
        std::ranges::find_if(lines_, [&](const Line& line) { return line.about == about; });
    for (auto line = first; line != lines_.end(); ++line) {
        if (line->about.empty() || line->about == about) {
            const auto s = std::chrono::duration<double>(line->at.time_since_epoch()).count();
            story.push_back(fmt::format("{:10.3f} {}", s, line->what));
        }
    }
    if (story.size() > story_lines) {
        story.erase(story.begin() + 1, story.end() - static_cast<std::ptrdiff_t>(story_lines) + 1);
    }
    return story;
}

}  // namespace smsrack::test
