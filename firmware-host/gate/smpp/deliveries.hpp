/// What one account must still be given: the events of its feed, until its sessions have taken them.
///
/// A delivery is made by any session that may receive, in order of the events but for those that are put off, and is
/// acknowledged to the service when all before it are done. So what was not taken comes again after any end of the gate.
/// Bound:   deliveries_max deliveries that wait, taken_max that were taken behind one that waits, and the room for both: then
///          the feed is not read.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/smpp/delivery.hpp"
#include "firmware-host/gate/smpp/delivery_room.hpp"
#include "firmware-host/gate/smpp/event_feed.hpp"
#include "firmware-host/gate/smpp/open_submits.hpp"
#include "src/base/log.hpp"
#include "src/smpp/account.hpp"
#include "src/smpp/status.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::gate {

class SmppConnection;

class Deliveries {
public:
    static constexpr std::size_t deliveries_max = 1'000;
    static constexpr std::size_t taken_max = 10'000;
    /// What was put off so often, for some hours, counts as refused where taken_max others wait for it.
    static constexpr unsigned tries_max = 200;

    struct Parts {
        const ServiceLink& link;
        Log& log;
        const smpp::Account& account;
        const OpenSubmits& submits;
        DeliveryRoom& room;
        std::function<void()> changed;  ///< flush() is wanted
        /// Null: none takes a delivery now.
        std::function<std::shared_ptr<SmppConnection>()> free_session;
    };

    /// What `parts` refers to outlives the object.
    explicit Deliveries(Parts parts) : parts_(std::move(parts)), share_(parts_.room) {}

    /// From now on, if it does not yet. `token` and `inbox` as of EventFeed.
    void listen(std::string token, std::string_view inbox);
    /// The same with other words, if it listens.
    void listen_otherwise(std::string token, std::string_view inbox);
    /// Listens no more until listen(): what waits comes again then.
    void rest();
    /// Forgets all; no callback comes.
    void give_up() { feed_.reset(); }

    /// Reads on, or not, as there is room now.
    void pause_feed();
    /// Hands out what can be, and acknowledges what is done.
    void flush();
    /// The end of a deliver_sm; nullopt: no answer came in time, or the session was lost.
    void ended(const std::shared_ptr<Delivery>& delivery, std::optional<smpp::Status> answer,
               bool was_lost);

    /// Whether one that was put off `tries` times counts as refused: only where no further event
    /// is read until it is out of the way.
    [[nodiscard]] static constexpr bool is_given_up(unsigned tries, std::size_t taken_behind) {
        return tries >= tries_max && taken_behind >= taken_max;
    }
    /// When one that was put off is tried again; never: there is none.
    [[nodiscard]] SteadyTime deadline() const;
    [[nodiscard]] bool is_acknowledged() const {
        return feed_ == nullptr || feed_->is_acknowledged();
    }
    /// In memory, and not taken.
    [[nodiscard]] std::size_t waiting() const { return deliveries_.size(); }
    [[nodiscard]] std::uint64_t done() const { return done_; }
    [[nodiscard]] std::uint64_t refused() const { return refused_; }

private:
    void take_event(std::int64_t id, const wire::Json& event);
    void deliver();
    void acknowledge();
    [[nodiscard]] std::size_t taken_behind(const Delivery& delivery) const;
    void forget_deliveries();
    void forget_all();
    void forget_taken(std::set<std::int64_t>::iterator end);

    const Parts parts_;
    DeliveryRoom::Share share_;                         // of deliveries_ and taken_
    std::shared_ptr<EventFeed> feed_;                   // null: it does not listen
    std::deque<std::shared_ptr<Delivery>> deliveries_;  // not taken, in order of events
    std::set<std::int64_t> taken_;  // events behind the first of deliveries_, <= taken_max
    std::int64_t seen_ = 0;         // the last event of the feed
    std::int64_t told_ = 0;         // of that, what the service was asked to forget
    std::uint8_t part_reference_ = 0;
    std::uint64_t done_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace smsrack::gate
