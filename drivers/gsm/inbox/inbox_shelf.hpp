/// Where received PDUs are between the modem and the store: waiting to be read, told, or acknowledged
/// and to be erased.
///
/// Bound:   inbox_bound told and not yet erased, so that the next is read while the last is
///          committed; places_max places of a memory, each at most once (a SIM has 10 to 255).
#pragma once

#include "src/base/clock.hpp"
#include "src/base/members.hpp"
#include "src/sms/inbound.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::gsm {

inline constexpr std::size_t inbox_bound = 16;
inline constexpr std::size_t places_max = 1024;

/// Message memories, 3GPP TS 27.005 3.2.3. `direct`: none, it came as +CMT or +CDS.
enum class Memory : std::uint8_t { sm, sr, me, direct };
inline constexpr std::size_t memory_count = 3;  // that can be read from

struct Place {
    Memory memory = Memory::sm;
    std::uint16_t index = 0;
    friend bool operator==(const Place&, const Place&) = default;
    SMSRACK_MEMBERS(memory, index);
};

/// 3GPP TS 27.005 3.1 <stat>: 0 and 1 were received; 2 and 3 are what a program stored to send.
inline constexpr int stat_received_last = 1;

/// As the store knows it.
[[nodiscard]] inline HeldPlace held_place(Place place) {
    return {static_cast<HeldIn>(place.memory), place.index};
}
static_assert(static_cast<int>(Memory::direct) == static_cast<int>(HeldIn::direct) &&
              static_cast<int>(Memory::me) == static_cast<int>(HeldIn::modem));

struct Held {
    std::uint32_t token = 0;  ///< 0: the slot is free
    Place place = {};
    bool acknowledged = false;
    bool again = false;  ///< its place was filled again before it was known to be erased
    bool stale = false;  ///< a direct one that the modem has given up, so it can't be confirmed
    SteadyTime came_at = {};
    SMSRACK_MEMBERS(place, again, came_at);
};

/// A place with something that was not read yet.
struct Unread {
    Place place = {};
    /// it lay there already; nullopt: not known since when
    std::optional<SteadyTime> noted_at = {};
};

class InboxShelf {
public:
    // -- for the next one who drives this modem
    /// Places to be read, oldest first.
    [[nodiscard]] std::vector<Place> unread() const;
    /// Those told and not yet erased.
    [[nodiscard]] std::vector<Held> held() const;
    /// Durable already: to be erased or confirmed.
    void adopt_acknowledged(const Held& held);

    // -- to be read
    /// Once, however often it is noted; a place still held is noted again when it is released.
    void note(Place place, std::optional<SteadyTime> now);
    [[nodiscard]] bool has_unread(Memory memory) const { return !unread_[at(memory)].empty(); }
    /// The oldest one; it stays known until forget().
    [[nodiscard]] Unread take_unread(Memory memory);
    void put_back(Unread unread);
    void forget(Place place);
    void forget_unread();
    [[nodiscard]] bool knows(Place place) const;

    // -- told
    [[nodiscard]] std::size_t room() const;
    /// The token for it; there is room.
    [[nodiscard]] std::uint32_t hold(Place place, SteadyTime now);
    void acknowledge(std::uint32_t token);
    // One of these; null: none.
    [[nodiscard]] Held* acknowledged_in(Memory memory);
    [[nodiscard]] Held* held_at(Place place);
    [[nodiscard]] const Held* unacknowledged_since(SteadyTime since) const;
    void release(Held& held);
    /// The modem gives another one, so it has given up those before.
    void give_up_direct();
    /// A direct one was reported that the modem still waits for.
    [[nodiscard]] bool awaits_confirmation() const;
    void drop_direct();
    /// Another SIM: what was held means nothing any more.
    void clear();

private:
    static std::size_t at(Memory memory) { return static_cast<std::size_t>(memory); }

    std::array<std::deque<Unread>, memory_count> unread_;
    std::array<std::bitset<places_max>, memory_count> known_;
    std::array<Held, inbox_bound> held_ = {};
    std::uint32_t last_token_ = 0;
};

/// "SM" and so on, of a memory that can be read from.
[[nodiscard]] std::string_view memory_name(Memory memory);

/// +CMTI: "SM",3; nullopt where the memory is not ours (BM: cell broadcast), or the index can't be one.
[[nodiscard]] std::optional<Place> place_of(std::string_view urc);

}  // namespace smsrack::gsm
