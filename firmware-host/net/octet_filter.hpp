/// Between the octets of a socket and those of its session: TLS, where a listener has it.
///
/// Bound:   what it holds to be written is at most one answer to what came, and one piece of send().
/// Threads: loop thread.
#pragma once

#include "src/base/interface.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace smsrack::net {

class OctetFilter : public Interface {
public:
    enum class Came : std::uint8_t {
        more,    ///< the other side may send more
        end,     ///< it has said that it sends no more
        broken,  ///< nothing it says counts any more: close, once output() was tried
    };
    /// Takes what came; what it means is appended to `plain`.
    [[nodiscard]] virtual Came receive(std::string_view octets, std::string& plain) = 0;
    /// Takes what shall be said.
    virtual void send(std::string_view plain) = 0;
    /// Says that nothing more comes from this side.
    virtual void send_end() = 0;

    /// What to write; written() says how much of it left.
    [[nodiscard]] virtual std::string_view output() const = 0;
    virtual void written(std::size_t count) = 0;

    /// Both sides have agreed; until then a connection has only so much time.
    [[nodiscard]] virtual bool is_ready() const = 0;
    /// Once it is ready: the name in the certificate that the other side showed; empty: none.
    [[nodiscard]] virtual std::string peer_name() const { return {}; }
};
using OctetFilterPtr = std::unique_ptr<OctetFilter>;

}  // namespace smsrack::net
