/// One account: its sessions, what they hand in, and what they must still be given.
///
/// A delivery is made by any session that may receive, in order of the events but for those that are put off, and is
/// acknowledged to the service when all before it are done. So what was not taken comes again after any end of the gate.
/// Bound:   sessions and window of the account; deliveries_max deliveries that wait, and taken_max that
///          were taken behind one that waits: then the feed is not read.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/smpp/delivery.hpp"
#include "firmware-host/gate/smpp/event_feed.hpp"
#include "firmware-host/gate/smpp/message_orders.hpp"
#include "firmware-host/gate/smpp/service_presence.hpp"
#include "firmware-host/gate/smpp/submit_link.hpp"
#include "src/base/log.hpp"
#include "src/base/random.hpp"
#include "src/smpp/account.hpp"
#include "src/smpp/pdu.hpp"
#include "src/smpp/rate.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::gate {

class SmppConnection;

/// Of an account, since the gate began.
struct AccountCounts {
    /// By the names of command and status, which are constants.
    std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> told = {};
    std::uint64_t throttled = 0;
    std::uint64_t deliveries_refused = 0;
    std::uint64_t deliveries_taken = 0;
};

class AccountDesk : public std::enable_shared_from_this<AccountDesk> {
public:
    static constexpr std::size_t deliveries_max = 1'000;
    static constexpr std::size_t taken_max = 10'000;
    /// What was put off so often, for some hours, counts as refused.
    static constexpr unsigned tries_max = 200;

    struct Parts {
        const ServiceLink& link;
        Log& log;
        Random& random;
        const ServicePresence& presence;
        SubmitLink::Held held;  ///< of all accounts
        /// It wants to be flushed at the end of this turn of the loop.
        std::function<void(const std::shared_ptr<AccountDesk>&)> changed;
    };

    /// What is in `parts` outlives the desk.
    AccountDesk(const Parts& parts, smpp::Account account);

    /// Of the file as it is now.
    void set(smpp::Account account);
    [[nodiscard]] const smpp::Account& account() const { return account_; }

    /// False: it has as many as it may.
    [[nodiscard]] bool join(const std::shared_ptr<SmppConnection>& connection);
    void leave(const SmppConnection& connection);
    [[nodiscard]] std::vector<std::shared_ptr<SmppConnection>> sessions() const;

    /// A request of one of its sessions, which is answered later or at once.
    void asked(const std::shared_ptr<SmppConnection>& connection, smpp::Pdu request);

    /// The end of a deliver_sm; nullopt: no answer came in time, or the session was lost.
    void ended(const std::shared_ptr<Delivery>& delivery, std::optional<smpp::Status> answer,
               bool was_lost);

    /// What was handed in leaves; what can be delivered is.
    void flush();
    /// When it tries something again; never: nothing waits.
    [[nodiscard]] SteadyTime deadline() const;
    /// Once a while.
    void rest(SteadyTime now);

    /// Forgets what it waits for: nothing calls it any more.
    void give_up();

    void count(smpp::Command request, smpp::Status status);
    [[nodiscard]] const AccountCounts& counts() const { return counts_; }
    /// Deliveries in memory that were not taken.
    [[nodiscard]] std::size_t waiting() const { return deliveries_.size(); }
    [[nodiscard]] std::size_t in_hand() const { return submits_->waiting(); }
    /// No session, nothing handed in, nothing to acknowledge.
    [[nodiscard]] bool is_idle() const;

    /// For the list of those that want a flush.
    bool flush_wanted = false;

private:
    using Connection = std::shared_ptr<SmppConnection>;
    struct Multi;

    void submit(const Connection& connection, const smpp::Header& header,
                const smpp::Message& message);
    void submit_new(const Connection& connection, const smpp::Header& header,
                    const smpp::Submission& submission);
    void submit_multi(const Connection& connection, const smpp::Header& header,
                      const smpp::SubmitMulti& multi);
    [[nodiscard]] bool may_submit();
    [[nodiscard]] smpp::Status refusal(const Error& error);
    [[nodiscard]] std::string fresh_ref();

    void take_event(std::int64_t id, const wire::Json& event);
    [[nodiscard]] std::vector<smpp::Message> pdus_of(const wire::Json& event);
    void deliver();
    [[nodiscard]] Connection free_session();
    void acknowledge();
    void pause_feed();
    void change() { parts_.changed(shared_from_this()); }

    const Parts parts_;
    smpp::Account account_;
    smpp::Rate rate_;
    const std::string front_of_refs_;
    std::uint64_t refs_ = 0;
    std::uint8_t part_reference_ = 0;
    std::vector<std::weak_ptr<SmppConnection>> sessions_;  // <= account_.sessions
    std::size_t next_session_ = 0;
    const std::shared_ptr<SubmitLink> submits_;
    MessageOrders orders_;
    std::shared_ptr<EventFeed> feed_;                   // null: no session has been here yet
    std::deque<std::shared_ptr<Delivery>> deliveries_;  // not taken, in order of events
    std::set<std::int64_t> taken_;  // events behind the first of deliveries_, <= taken_max
    std::int64_t seen_ = 0;         // the last event of the feed
    std::int64_t told_ = 0;         // of that, what the service was asked to forget
    AccountCounts counts_;
};

}  // namespace smsrack::gate
