/// Gives orders about the power of other boxes to smsrack-wake.socket, which runs the operator's program for each.
///
/// The service starts no program: it writes a line, and reads one (src/cluster/power_line).
/// Time:    an order that is not answered within answers_within has failed.
/// Bound:   orders_max in flight.
/// Threads: any; made and ended by the loop's thread. What is in flight at its end is not answered.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/ports/box_power.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace smsrack::host {

class WakeSocket final : public ports::BoxPower {
public:
    static constexpr std::size_t orders_max = 8;
    /// A while longer than the unit lets the program run.
    static constexpr std::chrono::seconds answers_within =
        ports::box_power_within + std::chrono::seconds(15);

    /// `path`: empty: there is none. `loop` outlives the object.
    WakeSocket(net::Loop& loop, std::string path);
    ~WakeSocket() override;
    WakeSocket(const WakeSocket&) = delete;
    WakeSocket& operator=(const WakeSocket&) = delete;

    /// The socket is there now: so an operator can switch it on and off.
    [[nodiscard]] bool is_there() const override;
    /// Errors: closed: nothing listens, or it ended without an answer. timeout. queue_full.
    void order(ports::PowerOrder what, std::string box, ports::Done<void> done) override;

private:
    class Orders;

    net::Loop& loop_;
    const std::string path_;
    std::shared_ptr<Orders> orders_;  // the loop's thread alone looks into it
};

}  // namespace smsrack::host
