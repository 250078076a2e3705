/// Wakes a line when its port may have appeared, so that it does not wait for its next retry.
///
/// Threads: the loop's.
/// Errors:  where the system gives no watch, that is logged, and the lines' own retries remain.
#pragma once

#include "drivers/serial/port_watch.hpp"
#include "firmware-host/net/loop.hpp"
#include "src/base/log.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::host {

class HotPlug {
public:
    /// `port_came` gets the index of the port in `ports`. `loop` outlives this object.
    HotPlug(net::Loop& loop, const std::vector<std::string>& ports,
            std::function<void(std::size_t)> port_came, Log& log);

private:
    std::unique_ptr<serial::PortWatch> ports_;
    net::LoopWatchPtr readable_;  // ends before ports_
};

}  // namespace smsrack::host
