#include "firmware-host/hot_plug.hpp"

#include <utility>

namespace smsrack::host {

HotPlug::HotPlug(net::Loop& loop, const std::vector<std::string>& ports,
                 std::function<void(std::size_t)> port_came, Log& log) {
    auto watch = serial::PortWatch::make(ports);
    if (!watch) {
        log.warn("no_hot_plug", {{"error", watch.error().context}});
        return;
    }
    ports_ = std::move(*watch);
    readable_ = loop.on_readable(ports_->fd(), [this, port_came = std::move(port_came)] {
        for (const std::size_t place : ports_->changed()) {
            port_came(place);
        }
    });
}

}  // namespace smsrack::host
