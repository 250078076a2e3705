#include "src/overload/promises.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace smsrack::overload {
namespace {

using namespace std::chrono_literals;

constexpr auto early = 1s;         // before its time: clocks differ
constexpr auto rounding = 1500ms;  // after it: Retry-After is in whole seconds
constexpr auto patience = 5s;      // so late it is still known
constexpr double share_step = 1.0 / 64;
constexpr double share_least = 0.1;   // should all come back at once, one in ten finds a place
constexpr double slack = 1.1;         // places are given a little slower than they come free
constexpr double care_up = 1.0 / 16;  // with each promise that was broken
// With each that was kept: in balance 2 of 100 are broken.
constexpr double care_down = care_up / 49;
constexpr double held_most = 0.3;  // of the places
constexpr double longest_s = 86'400;

constexpr std::size_t carried_octets = 8 + 8 + 4;

void put(std::string& to, std::uint64_t value, unsigned octets) {
    while (octets-- > 0) {
        to += static_cast<char>(value >> (8 * octets) & 0xffU);
    }
}

/// As many octets as there must be.
std::uint64_t take(std::string_view& from, std::size_t octets) {
    std::uint64_t value = 0;
    for (const char octet : from.substr(0, octets)) {
        value = value << 8U | static_cast<unsigned char>(octet);
    }
    from.remove_prefix(octets);
    return value;
}

SteadyTime::duration after(double seconds) {
    return std::chrono::duration_cast<SteadyTime::duration>(Seconds(std::min(seconds, longest_s)));
}

}  // namespace

void Promises::advance(SteadyTime now) {
    while (!queue(Stage::later).empty() && queue(Stage::later).begin()->first - early <= now) {
        move(Stage::later, Stage::expected);
    }
    while (!queue(Stage::expected).empty() &&
           queue(Stage::expected).begin()->first + rounding < now) {
        move(Stage::expected, Stage::late);
    }
    while (!queue(Stage::late).empty() && queue(Stage::late).begin()->first + patience < now) {
        settle(queue(Stage::late).begin()->second, 0);
    }
}

/// The first of its queue.
void Promises::move(Stage from, Stage to) {
    const auto place = *queue(from).begin();
    queue(from).erase(queue(from).begin());
    queue(to).insert(place);
    Promise& promise = open_.at(place.second);
    promise.stage = to;
    expected_segments_ += to == Stage::expected ? promise.segments : -promise.segments;
}

std::optional<Promises::Known> Promises::find(std::uint64_t who) const {
    const auto found = open_.find(who);
    if (found == open_.end()) {
        return std::nullopt;
    }
    return Known{.due = found->second.due, .expected = found->second.stage != Stage::later};
}

SteadyTime Promises::give(std::uint64_t who, SteadyTime from, double rate, double segments) {
    const double share = std::max(come_back_, share_least);
    const SteadyTime due = from + after((slack + care_) * share * open_segments_ / rate);
    (void)remember(who, due, segments);
    return due;
}

/// False: it is known already, or there are too many.
bool Promises::remember(std::uint64_t who, SteadyTime due, double segments) {
    if (open_.size() >= remembered_max ||
        !open_.emplace(who, Promise{.due = due, .segments = segments}).second) {
        return false;
    }
    queue(Stage::later).emplace(due, who);
    open_segments_ += segments;
    return true;
}

void Promises::settle(std::uint64_t who, double came) {
    const auto found = open_.find(who);
    if (found == open_.end()) {
        return;
    }
    const Promise promise = found->second;
    queue(promise.stage).erase({promise.due, who});
    open_.erase(found);
    open_segments_ -= promise.segments;
    expected_segments_ -= promise.stage == Stage::expected ? promise.segments : 0;
    come_back_ += share_step * (came - come_back_);
}

void Promises::kept(std::uint64_t who) {
    if (const auto known = find(who); known && known->expected) {
        care_ = std::max(0.0, care_ - care_down);
    }
    settle(who, 1);
}

void Promises::broken(std::uint64_t who) {
    care_ = std::min(1.0, care_ + care_up);
    settle(who, 1);
}

double Promises::held(double places) const {
    if (queues_.at(static_cast<std::size_t>(Stage::expected)).empty()) {
        return 0;
    }
    const double come = std::ceil(expected_segments_ * std::max(come_back_, share_least) - 1e-9);
    const double least = (0.1 + 0.4 * care_) * places;
    return std::max(1.0, std::clamp(come, least, std::max(least, held_most * places)));
}

PromisesCarried Promises::carried() const {
    PromisesCarried left{.come_back = come_back_, .care = care_};
    left.waiting.reserve(open_.size() * carried_octets);
    for (const auto& [who, promise] : open_) {
        put(left.waiting, who, 8);
        put(left.waiting, static_cast<std::uint64_t>(promise.due.time_since_epoch().count()), 8);
        put(left.waiting, static_cast<std::uint64_t>(promise.segments), 4);
    }
    return left;
}

/// Each is `later` again until the next advance(), which knows the time.
void Promises::adopt(const PromisesCarried& left) {
    for (std::string_view rest = left.waiting; rest.size() >= carried_octets;) {
        const std::uint64_t who = take(rest, 8);
        const SteadyTime due{SteadyTime::duration(static_cast<std::int64_t>(take(rest, 8)))};
        (void)remember(who, due, static_cast<double>(take(rest, 4)));
    }
    come_back_ = std::clamp(left.come_back, 0.0, 1.0);
    care_ = std::clamp(left.care, 0.0, 1.0);
}

}  // namespace smsrack::overload
