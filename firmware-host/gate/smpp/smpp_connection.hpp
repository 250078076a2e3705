/// One connection of an ESME: a TcpPeer, a session, and from its bind on the desk of its account.
///
/// What it has to say leaves with flush(), once in a turn of the loop.
/// Bound:   backlog_max octets that the ESME does not read: then it is closed.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/smpp/delivery.hpp"
#include "firmware-host/net/tcp_peer.hpp"
#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/smpp/session.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace smsrack::gate {

class AccountDesk;
class SmppConnection;

/// The server, as its connections see it.
class SmppConnectionOwner : public Interface {
public:
    /// Ends with SmppConnection::join() or refuse(), now or later.
    virtual void bind_asked(const std::shared_ptr<SmppConnection>& connection, smpp::Command kind,
                            const smpp::Bind& bind) = 0;
    virtual void needs_flush(const std::shared_ptr<SmppConnection>& connection) = 0;
    /// It has closed, and won't call again.
    virtual void gone(SmppConnection& connection) = 0;
};

class SmppConnection final : public smpp::SessionOwner,
                             public std::enable_shared_from_this<SmppConnection> {
public:
    static constexpr std::size_t backlog_max = 1UL << 20;
    /// For an ESME to take what is said when the session is over.
    static constexpr std::chrono::seconds last_words{5};

    /// All outlives the object.
    SmppConnection(SmppConnectionOwner& owner, const Clock& clock, const smpp::SessionTimes& times,
                   std::unique_ptr<net::TcpPeer> peer, bool has_tls);

    void start();
    /// Its bind is granted.
    void join(std::shared_ptr<AccountDesk> desk, std::uint32_t window);
    void refuse();
    void set_window(std::uint32_t window) { session_.set_window(window); }

    void answer(const smpp::Header& request, smpp::Status status, smpp::Body body = {});
    [[nodiscard]] bool takes_deliveries(std::size_t window) const;
    void deliver(const std::shared_ptr<Delivery>& delivery);

    /// Writes what the session says; closes when it is over.
    void flush();
    void step(SteadyTime now);
    [[nodiscard]] SteadyTime deadline() const {
        return session_.is_over() ? last_words_by_ : session_.deadline();
    }
    void unbind();
    void close();

    [[nodiscard]] const std::string& address() const { return address_; }
    [[nodiscard]] bool has_tls() const { return has_tls_; }
    [[nodiscard]] const std::shared_ptr<AccountDesk>& desk() const { return desk_; }
    [[nodiscard]] const smpp::Session& session() const { return session_; }
    [[nodiscard]] WallTime since() const { return since_; }
    [[nodiscard]] smpp::Status last_refusal() const { return last_refusal_; }
    [[nodiscard]] WallTime last_refusal_at() const { return last_refusal_at_; }
    [[nodiscard]] std::uint64_t requests() const { return requests_; }

    /// For its owner's list of those that need a flush.
    bool flush_wanted = false;

private:
    // -- SessionOwner
    void bind_asked(smpp::Command kind, smpp::Bind bind) override;
    void asked(smpp::Pdu request) override;
    void delivered(std::uint32_t sequence, std::optional<smpp::Status> answer) override;
    void told(smpp::Command request, smpp::Status status) override;

    void change();

    SmppConnectionOwner& owner_;
    const Clock& clock_;
    const std::string address_;
    const bool has_tls_;
    const WallTime since_;
    std::unique_ptr<net::TcpPeer> peer_;                             // null: closed
    std::shared_ptr<AccountDesk> desk_;                              // null: not bound
    std::map<std::uint32_t, std::shared_ptr<Delivery>> deliveries_;  // by the sequence of their PDU
    smpp::Status last_refusal_ = smpp::Status::ok;
    WallTime last_refusal_at_ = {};
    std::uint64_t requests_ = 0;
    SteadyTime last_words_by_ = never;  // never: the session is not over
    smpp::Session session_;
};

}  // namespace smsrack::gate
