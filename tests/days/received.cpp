#include "tests/days/received.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::days {
namespace {

using What = test::InboundStep::What;

std::size_t octet(std::string_view pdu, std::size_t at) {
    return at < pdu.size() ? static_cast<unsigned char>(pdu[at]) : 0;
}

/// No centre's clock says this: all zeros, all ones, or a day long ago.
bool is_dead(std::string_view stamp) {
    return stamp.size() != 7 || stamp == std::string(7, '\0') || stamp == std::string(7, '\xFF') ||
           stamp.substr(0, 3) == std::string_view("\x00\x10\x10", 3);
}

bool is_arrival(What what) {
    return what == What::stored || what == What::direct || what == What::given;
}

}  // namespace

std::string time_stamp_of(std::string_view pdu) {
    const std::size_t first = 1 + octet(pdu, 0);
    const std::size_t pid = first + 3 + (octet(pdu, first + 1) + 1) / 2;
    return pid + 9 <= pdu.size() ? std::string(pdu.substr(pid + 2, 7)) : std::string();
}

/// One content of one sender: what it may be in the inbox, and what it is.
struct Received::Content {
    std::vector<const Message*> messages = {};
    std::size_t least = 0;
    Extra extra = {};
    std::size_t rows = 0;
    std::size_t marked = 0;
};

void Received::offered(const Offered& message) {
    messages_.emplace(message.id, Message{.about = message});
}

void Received::came_in(const test::InboundStep& step) {
    if (step.what == What::confirmed) {
        return confirms(step);
    }
    Equal& equal = equal_[{step.iccid, step.pdu}];
    if (step.what == What::erased || step.what == What::acknowledged) {
        leaves(step, equal);
    } else if (is_arrival(step.what) && step.id == 0) {
        unreadable_.insert(step.pdu);
    } else if (is_arrival(step.what)) {
        arrives(step, equal);
    }
}

/// Until it leaves and more is known, all that may be is.
void Received::arrives(const test::InboundStep& step, Equal& equal) {
    Message& message = messages_.at(step.id);
    for (int segment = 1; segment <= step.segments; ++segment) {
        (void)message.parts[segment];
    }
    Part& part = message.parts.at(step.segment);
    equal.is_dead = is_dead(time_stamp_of(step.pdu));
    if (step.what == What::given && is_given_again(step, equal)) {
        return;
    }
    const bool at_once = !equal.held.empty();
    const bool is_alike = equal.came_at && !equal.is_dead && !at_once;
    const Arrival arrival{.id = step.id,
                          .segment = step.segment,
                          .at = step.at,
                          .is_given = step.what == What::given,
                          .is_first = !std::exchange(part.came, true),
                          .equal_came = equal.came_at,
                          .equal_left = at_once ? std::nullopt : equal.left_at};
    part.may_be_missed = part.may_be_missed || (arrival.is_first && is_alike);
    part.is_hidden = part.is_hidden || (arrival.is_first && is_place_claimed(step, equal));
    if (!arrival.is_first) {
        ++part.extra.all;
        ++(is_alike ? part.extra.marked : part.extra.free);
    }
    equal.came_at = step.at;
    equal.left_at.reset();
    if (step.what == What::direct) {
        equal.left_at = step.at;
    } else {
        equal.held.push_back(arrival);
    }
}

/// The host may not know that the equal one before it has left this place: decision 0031 takes it for that.
bool Received::is_place_claimed(const test::InboundStep& step, const Equal& equal) const {
    const auto left = equal.left.find(step.place);
    return left != equal.left.end() && !left->second.confirmed_at &&
           (!equal.is_dead || step.at - left->second.at <= place_trusted);
}

void Received::confirms(const test::InboundStep& step) {
    const auto last = last_left_.find(step.modem);
    if (last != last_left_.end()) {
        last->second->confirmed_at = step.at;
    }
}

void Received::restarted(SteadyTime at) {
    for (auto& [sim_and_pdu, equal] : equal_) {
        for (auto& [place, left] : equal.left) {
            if (left.confirmed_at && at - *left.confirmed_at < kept_within) {
                left.confirmed_at.reset();  // the answer was perhaps not on the disk yet
            }
        }
    }
}

/// What the host did not confirm the network gives again, to the same place: that of what is given directly.
bool Received::is_given_again(const test::InboundStep& step, Equal& equal) {
    const auto before = std::ranges::find_if(equal.held, [&](const Arrival& arrival) {
        return arrival.is_given && arrival.id == step.id && arrival.segment == step.segment;
    });
    if (before == equal.held.end()) {
        return false;
    }
    // Where another was given meanwhile, or the clock set (now, or ever: then a time that was read late is not credible), it is known
    // by its time alone. It was read later than it was given, the first time more than the second.
    const auto since = step.at - before->at;
    if (equal.is_dead || since > repeat_until || since < repeat_from + read_late ||
        clock_set_between(SteadyTime{}, step.at)) {
        Extra& extra = messages_.at(step.id).parts.at(step.segment).extra;
        ++extra.marked;
        ++extra.all;
    }
    return true;
}

/// Without a time: what is read again at its place after long may be another one there.
void Received::note_readings(const Arrival& arrival, SteadyTime until) {
    Extra& extra = messages_.at(arrival.id).parts.at(arrival.segment).extra;
    const auto times = static_cast<std::size_t>((until - arrival.at) / (place_trusted / 2));
    extra.marked += times;
    extra.all += times;
}

void Received::leaves(const test::InboundStep& step, Equal& equal) {
    const auto other_left = std::exchange(equal.last_left, step.at);
    equal.left_at = step.at;
    equal.left[step.place] = {.at = step.at};
    last_left_[step.modem] = &equal.left.at(step.place);
    if (equal.held.empty()) {
        return;
    }
    const auto own = std::ranges::find(equal.held, step.id, &Arrival::id);
    const auto it = own == equal.held.end() ? equal.held.begin() : own;
    const Arrival arrival = *it;
    equal.held.erase(it);
    if (equal.is_dead) {
        return note_readings(arrival, step.at);
    }
    judge_time(arrival, step.at);
    // It was given in vain at first, or lay unread for as long as a network waits. When it was read, an equal one had been kept
    // and erased meanwhile.
    const bool is_late = arrival.is_given || step.at - arrival.at >= repeat_from;
    if (is_late && other_left && *other_left > arrival.at) {
        messages_.at(arrival.id).parts.at(arrival.segment).may_be_missed = true;
    }
}

/// When it left it is known between which times it was read, and so how long after the one before.
void Received::judge_time(const Arrival& arrival, SteadyTime left_at) {
    if (!arrival.equal_came || !arrival.equal_left ||
        clock_set_between(*arrival.equal_came, left_at)) {
        return;
    }
    Part& part = messages_.at(arrival.id).parts.at(arrival.segment);
    const auto least = arrival.at - *arrival.equal_left;
    const auto most = left_at - *arrival.equal_came;
    if (arrival.is_first) {
        const bool is_never_a_repeat = most < repeat_from || least > repeat_until;
        part.may_be_missed = part.may_be_missed && !is_never_a_repeat;
    } else if (least >= repeat_from && most <= repeat_until) {
        --part.extra.marked;  // a repeat, and known to be one
    }
}

bool Received::clock_set_between(SteadyTime from, SteadyTime to) const {
    return std::ranges::any_of(clock_set_, [&](SteadyTime at) { return at >= from && at <= to; });
}

void Received::sim_goes(const std::string& iccid, const std::vector<InboxRow>& rows) {
    std::map<std::pair<std::string, std::string>, std::size_t> there;
    for (const InboxRow& row : rows) {
        ++there[{row.from, row.content}];
    }
    for (auto& [id, message] : messages_) {  // of equal ones the first are there
        std::size_t& left = there[{message.about.from, message.about.text}];
        const bool is_there = left > 0;
        left -= is_there ? 1 : 0;
        message.gone = message.gone || (!is_there && message.about.iccid == iccid);
    }
}

std::map<std::pair<std::string, std::string>, Received::Content> Received::contents() const {
    std::map<std::pair<std::string, std::string>, Content> contents;
    for (const auto& [id, message] : messages_) {
        Content& content = contents[{message.about.from, message.about.text}];
        content.messages.push_back(&message);
        const bool may_be_missed = std::ranges::any_of(message.parts, [](const auto& part) {
            return part.second.may_be_missed || part.second.is_hidden;
        });
        content.least += message.gone || may_be_missed ? 0 : 1;
        if (message.parts.empty()) {
            continue;
        }
        // One part that is surely new makes the message a new one.
        Extra extra{.free = 0, .marked = SIZE_MAX, .all = SIZE_MAX};
        for (const auto& [number, part] : message.parts) {
            extra.free = std::max(extra.free, part.extra.free);
            extra.marked = std::min(extra.marked, part.extra.free + part.extra.marked);
            extra.all = std::min(extra.all, part.extra.all);
        }
        extra.free = std::min(extra.free, extra.marked);
        content.extra.free += extra.free;
        content.extra.marked += extra.marked - extra.free;
        content.extra.all += extra.all;
    }
    return contents;
}

void Received::judge(const std::vector<InboxRow>& rows) const {
    auto all = contents();
    std::vector<InboxRow> pieces;
    for (const InboxRow& row : rows) {
        if (row.undecodable) {
            if (!unreadable_.contains(row.content)) {
                throw Violation("inbound",
                                "the inbox calls undecodable what the network sent whole", {});
            }
            continue;
        }
        if (row.incomplete) {
            pieces.push_back(row);
            continue;
        }
        const auto content = all.find({row.from, row.content});
        if (content == all.end()) {
            throw Violation("inbound",
                            fmt::format("the inbox has what was never sent, from {}: {}", row.from,
                                        row.content),
                            {row.from});
        }
        ++content->second.rows;
        content->second.marked += row.maybe_repeat ? 1 : 0;
    }
    for (const auto& [what, content] : all) {
        judge_content(content);
    }
    judge_pieces(pieces);
}

void Received::judge_content(const Content& content) const {
    const std::size_t messages = content.messages.size();
    const std::size_t unmarked = content.rows - content.marked;
    const char* wrong = nullptr;
    if (content.rows < content.least) {
        wrong = "is missing";
    } else if (unmarked > messages + content.extra.free) {
        wrong = "is there too often, and not marked";
    } else if (content.rows > messages + content.extra.free + content.extra.marked) {
        wrong = "is there too often, though the network did not repeat it so soon";
    } else if (content.marked > messages + content.extra.all - 1) {
        wrong = "is marked as a repeat of nothing";
    }
    if (wrong == nullptr) {
        return;
    }
    std::vector<std::string> about;
    std::string ids;
    for (const Message* message : content.messages) {
        about.push_back(fmt::format("inbound {}", message->about.id));
        about.push_back(fmt::format("m{}", message->about.modem));
        ids += fmt::format("{}{}", ids.empty() ? "" : ", ", message->about.id);
    }
    throw Violation("inbound",
                    fmt::format("inbound {} {}: {} offered ({} at least, {} more as they are, {} "
                                "more if marked), {} in the inbox, {} of them marked",
                                ids, wrong, messages, content.least, content.extra.free,
                                content.extra.marked, content.rows, content.marked),
                    about);
}

/// Parts without the rest: of what went with its SIM, or of what the network repeated in part.
void Received::judge_pieces(const std::vector<InboxRow>& pieces) const {
    std::map<std::uint64_t, std::size_t> used;
    for (const InboxRow& piece : pieces) {
        const auto explains = [&](const auto& one) {
            const Message& message = one.second;
            std::size_t parts = message.gone ? message.parts.size() : 0;
            for (const auto& [number, part] : message.parts) {
                parts += part.extra.free + part.extra.marked;
            }
            return message.about.from == piece.from && message.parts.size() > 1 &&
                   message.about.text.contains(piece.content) && used[one.first] < parts;
        };
        const auto whose = std::ranges::find_if(messages_, explains);
        if (whose == messages_.end()) {
            throw Violation("inbound",
                            fmt::format("the inbox has a piece of a message that was delivered "
                                        "whole, from {}: {}",
                                        piece.from, piece.content),
                            {piece.from});
        }
        ++used[whose->first];
    }
}

}  // namespace smsrack::days
