/// An SMPP client of ours, which blocks: for tests and for load.
///
/// It answers enquire_link by itself, and deliver_sm when its user says so.
/// Threads: one.
/// Errors:  std::runtime_error where it can't connect; nullopt: nothing came in time, or the connection has ended (is_open()).
#pragma once

#include "src/smpp/pdu.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::rig {

class Esme {
public:
    /// To a port of this machine.
    explicit Esme(std::uint16_t port);
    Esme(Esme&& other) noexcept;
    Esme& operator=(Esme&&) = delete;
    ~Esme();

    /// The status of the answer; nullopt: there was none.
    [[nodiscard]] std::optional<smpp::Status> bind(
        const std::string& name, const std::string& password,
        smpp::Command kind = smpp::Command::bind_transceiver);

    /// Gives the sequence number. It leaves with flush(), or with the next read.
    std::uint32_t send(smpp::Command command, smpp::Body body = {});
    void answer(const smpp::Header& request, smpp::Status status = smpp::Status::ok);
    /// Octets as they are.
    void send_raw(std::string_view octets) { out_ += octets; }
    void flush();

    /// The next PDU but enquire_link.
    [[nodiscard]] std::optional<smpp::Pdu> read(std::chrono::milliseconds within);
    /// The answer to that request; what comes before it is kept for read().
    [[nodiscard]] std::optional<smpp::Pdu> answer_to(std::uint32_t sequence,
                                                     std::chrono::milliseconds within);

    [[nodiscard]] bool is_open() const { return open_; }
    [[nodiscard]] int descriptor() const { return fd_; }

private:
    [[nodiscard]] std::optional<smpp::Pdu> next();
    void receive(std::chrono::milliseconds within);

    int fd_ = -1;
    bool open_ = true;
    std::uint32_t sequence_ = 0;
    std::string out_;
    smpp::Frames frames_;
    std::deque<smpp::Pdu> kept_;
};

}  // namespace smsrack::rig
