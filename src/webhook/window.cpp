#include "src/webhook/window.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace smsrack::webhook {

void Window::add(std::vector<ports::Delivery> due) {
    for (ports::Delivery& one : due) {
        const EventSeq event = one.what.event;
        if (not_read_.erase(event) > 0) {
            given_.emplace(event, Given{.delivery = std::move(one)});
        } else if (const auto given = given_.find(event); given != given_.end()) {
            refresh(given->second, std::move(one));
        } else if (ready_one(event) == ready_.end()) {
            ready_.push_back(std::move(one));
        }
    }
}

void Window::held(const std::vector<EventSeq>& holding, bool is_new, SteadyTime now) {
    held_ = std::set<EventSeq>(holding.begin(), holding.end());
    held_at_ = now;
    if (is_new) {
        for (auto& [event, given] : given_) {
            given.at = SteadyTime::min();
        }
    }
    (void)free_lost(now);
    not_read_.clear();
    for (const EventSeq event : held_) {
        if (const auto ready = ready_one(event); ready != ready_.end()) {
            move_to_given(ready, now);
        } else if (!is_given(event)) {
            not_read_.insert(event);
        }
    }
}

SteadyTime Window::free_lost(SteadyTime now) {
    SteadyTime again = never;
    Ready lost;
    for (auto it = given_.begin(); it != given_.end();) {
        const bool arrived = held_.contains(it->first) || it->second.at >= held_at_;
        if (arrived || deciding_.contains(it->first)) {
            ++it;
        } else if (it->second.at != SteadyTime::min() && now < it->second.at + crossing_max) {
            again = std::min(again, it->second.at + crossing_max);
            ++it;
        } else {
            if (it->second.outdated) {
                dropped_ = true;
            } else {
                lost.push_back(std::move(it->second.delivery));
            }
            it = given_.erase(it);
        }
    }
    ready_.insert(ready_.begin(), std::make_move_iterator(lost.begin()),
                  std::make_move_iterator(lost.end()));
    return again;
}

std::vector<EventSeq> Window::adopt(std::vector<ports::Delivery> waiting,
                                    const std::vector<EventSeq>& asked) {
    std::vector<EventSeq> adopted;
    for (const EventSeq event : asked) {
        not_read_.erase(event);
    }
    for (ports::Delivery& one : waiting) {
        const EventSeq event = one.what.event;
        if (const auto given = given_.find(event); given != given_.end()) {
            refresh(given->second, std::move(one));
        } else if (ready_one(event) == ready_.end()) {
            given_.emplace(event, Given{.delivery = std::move(one)});
            adopted.push_back(event);
        }
    }
    return adopted;
}

void Window::refresh(Given& given, ports::Delivery read) {
    if (given.outdated) {
        given.delivery = std::move(read);
        given.outdated = false;
    }
}

void Window::outdate() {
    ready_.clear();
    for (auto& [event, given] : given_) {
        given.outdated = true;
    }
}

void Window::disown(EventSeq event) {
    if (!is_deciding(event)) {
        given_.erase(event);
    }
}

std::vector<ports::Delivery> Window::give(std::size_t limit, bool fresh, SteadyTime now) {
    std::vector<ports::Delivery> given;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < ready_.size() && given.size() < limit && bytes < given_bytes_max;) {
        if (ready_[i].tries == 0 && !fresh) {
            ++i;
            continue;
        }
        given.push_back(ready_[i]);
        bytes += ready_[i].what.body.size();
        move_to_given(ready_.begin() + static_cast<std::ptrdiff_t>(i), now);
    }
    return given;
}

const ports::Delivery* Window::find(EventSeq event) const {
    if (const auto given = given_.find(event); given != given_.end()) {
        return given->second.outdated ? nullptr : &given->second.delivery;
    }
    const auto ready =
        std::ranges::find(ready_, event, [](const ports::Delivery& one) { return one.what.event; });
    return ready == ready_.end() ? nullptr : &*ready;
}

void Window::decide(EventSeq event) {
    if (const auto ready = ready_one(event); ready != ready_.end()) {  // the gate had it after all
        move_to_given(ready, {});
    }
    if (is_given(event)) {
        deciding_.insert(event);
    }
}

void Window::decided(EventSeq event, bool kept) {
    deciding_.erase(event);
    not_read_.erase(event);
    if (kept) {
        given_.erase(event);
    }
}

std::size_t Window::retries() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(ready_, [](const ports::Delivery& one) { return one.tries > 0; }));
}

Window::Ready::iterator Window::ready_one(EventSeq event) {
    return std::ranges::find(ready_, event,
                             [](const ports::Delivery& one) { return one.what.event; });
}

void Window::move_to_given(Ready::iterator ready, SteadyTime at) {
    const EventSeq event = ready->what.event;
    given_.emplace(event, Given{.delivery = std::move(*ready), .at = at});
    ready_.erase(ready);
}

}  // namespace smsrack::webhook
