/// One account: its sessions, what they ask, and what they must still be given.
///
/// Bound:   sessions and window of the account; SubmitLink; OrderRoom; Deliveries.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/smpp/deliveries.hpp"
#include "firmware-host/gate/smpp/message_orders.hpp"
#include "firmware-host/gate/smpp/open_submits.hpp"
#include "firmware-host/gate/smpp/order_room.hpp"
#include "firmware-host/gate/smpp/service_presence.hpp"
#include "firmware-host/gate/smpp/submit_link.hpp"
#include "src/base/log.hpp"
#include "src/base/random.hpp"
#include "src/smpp/account.hpp"
#include "src/smpp/pdu.hpp"
#include "src/smpp/rate.hpp"
#include "src/stats/decaying_rate.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <memory>
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
    std::uint64_t answers = 0;                ///< of the service, to submits
    std::chrono::nanoseconds answer_time{0};  ///< of all of them
    stats::DecayingRate submits = {};
};

class AccountDesk : public std::enable_shared_from_this<AccountDesk> {
public:
    struct Parts {
        const ServiceLink& link;
        Log& log;
        Random& random;
        const ServicePresence& presence;
        SubmitLink::Held held;        ///< of all accounts, also of their orders
        DeliveryRoom& delivery_room;  ///< of all accounts
        /// It wants to be flushed at the end of this turn of the loop.
        std::function<void(const std::shared_ptr<AccountDesk>&)> changed;
    };

    /// What is in `parts` outlives the desk.
    AccountDesk(const Parts& parts, smpp::Account account);
    ~AccountDesk();
    AccountDesk(const AccountDesk&) = delete;
    AccountDesk& operator=(const AccountDesk&) = delete;

    /// Of the file as it is now; what it says holds for the bound sessions too.
    void set(smpp::Account account);
    [[nodiscard]] const smpp::Account& account() const { return account_; }

    /// False: it has as many as it may.
    [[nodiscard]] bool join(const std::shared_ptr<SmppConnection>& connection);
    void leave(const SmppConnection& connection);
    [[nodiscard]] std::vector<std::shared_ptr<SmppConnection>> sessions() const;

    /// A request of one of its sessions, which is answered later or at once.
    void asked(const std::shared_ptr<SmppConnection>& connection, smpp::Pdu request);

    /// What was handed in leaves; what can be delivered is.
    void flush();
    /// When it tries something again; never: nothing waits.
    [[nodiscard]] SteadyTime deadline() const { return deliveries_.deadline(); }
    /// Once a while.
    void rest(SteadyTime now);

    /// Forgets what it waits for: nothing calls it any more.
    void give_up();

    void count(smpp::Command request, smpp::Status status);
    [[nodiscard]] const AccountCounts& counts() const { return counts_; }
    /// Submits a second, lately.
    [[nodiscard]] double rate() const {
        return stats::DecayingRate(counts_.submits).per_second(parts_.link.clock.steady());
    }
    [[nodiscard]] Deliveries& deliveries() { return deliveries_; }
    [[nodiscard]] const Deliveries& deliveries() const { return deliveries_; }
    /// No session, nothing handed in, nothing to acknowledge.
    [[nodiscard]] bool is_idle() const;

    /// For the list of those that want a flush.
    bool flush_wanted = false;

private:
    using Connection = std::shared_ptr<SmppConnection>;
    struct Multi;
    struct Replacing;

    void submit(const Connection& connection, const smpp::Header& header,
                const smpp::Message& message);
    void order(const Connection& connection, const smpp::Pdu& request);
    /// The id, or the status of the refusal.
    using Submitted = std::function<void(std::expected<std::string, smpp::Status>)>;
    /// `replaces`: the message that waits with its source, destination and service_type, if there is one.
    void hand_in(const smpp::Submission& submission, bool replaces, Submitted done);
    void hand_in_new(const smpp::Submission& submission, Submitted done);
    void submit_multi(const Connection& connection, const smpp::Header& header,
                      const smpp::SubmitMulti& multi);
    /// Begins the next replacing submit if it may.
    void replace_next();
    void end_replacing(const Submitted& done, std::expected<std::string, smpp::Status> id);
    [[nodiscard]] bool may_submit(bool replaces);
    [[nodiscard]] bool may_order();
    [[nodiscard]] smpp::Status refusal(const Error& error);
    [[nodiscard]] std::string fresh_ref();

    [[nodiscard]] Connection free_session();
    void change() { parts_.changed(shared_from_this()); }

    const Parts parts_;
    smpp::Account account_;
    smpp::Rate rate_;
    const std::string front_of_refs_;
    std::uint64_t refs_ = 0;
    std::vector<std::weak_ptr<SmppConnection>> sessions_;  // <= account_.sessions
    std::size_t next_session_ = 0;
    const std::shared_ptr<SubmitLink> submits_;
    OpenSubmits open_;
    const OrderRoom order_room_;
    MessageOrders orders_;
    std::deque<Replacing> replacing_;  // submits that replace, not begun, oldest first
    bool is_replacing_ = false;        // one has begun: the next must see what it does
    Deliveries deliveries_;
    AccountCounts counts_;
};

}  // namespace smsrack::gate
