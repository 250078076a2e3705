#include "src/pdu/udh.hpp"

namespace smsrack::pdu {
namespace {

bool adds_up(Octets elements) {
    std::size_t at = 0;
    while (at < elements.size()) {
        if (elements.size() - at < 2) {
            return false;
        }
        at += 2 + std::size_t{elements[at + 1]};
    }
    return at == elements.size();
}

std::uint16_t sixteen(Octets data, std::size_t at) {
    return static_cast<std::uint16_t>((data[at] << 8U) | data[at + 1]);
}

/// `ref_octets` 1 or 2, then total and seq.
void use_concat(Udh& udh, Octets data, std::size_t ref_octets) {
    if (data.size() != ref_octets + 2) {
        return;
    }
    const ConcatInfo concat{.ref = ref_octets == 1 ? std::uint16_t{data[0]} : sixteen(data, 0),
                            .total = data[ref_octets],
                            .seq = data[ref_octets + 1],
                            .ref_bits = static_cast<std::uint8_t>(8 * ref_octets)};
    if (concat.seq >= 1 && concat.seq <= concat.total) {
        udh.concat = concat;
    }
}

void use_language(Udh& udh, Octets data, std::uint8_t Languages::*table) {
    if (data.size() == 1) {
        Languages languages = udh.languages.value_or(Languages{});
        languages.*table = data[0];
        udh.languages = languages;
    }
}

/// 9.2.3.24.2: type and whether to store, then how many wait.
void use_waiting(Udh& udh, Octets data) {
    if (data.size() == 2) {
        udh.waiting = WaitingIndication{.kind = static_cast<WaitingKind>(data[0] & 0x03U),
                                        .active = data[1] != 0,
                                        .store = (data[0] & 0x80U) != 0};
    }
}

void use(Udh& udh, const UdhElement& element) {
    switch (element.iei) {
        case iei::waiting:
            return use_waiting(udh, element.data);
        case iei::concat8:
            return use_concat(udh, element.data, 1);
        case iei::concat16:
            return use_concat(udh, element.data, 2);
        case iei::ports8:
            if (element.data.size() == 2) {
                udh.ports = Ports{.dst = element.data[0], .src = element.data[1], .bits = 8};
            }
            return;
        case iei::ports16:
            if (element.data.size() == 4) {
                udh.ports = Ports{
                    .dst = sixteen(element.data, 0), .src = sixteen(element.data, 2), .bits = 16};
            }
            return;
        case iei::single_shift:
            return use_language(udh, element.data, &Languages::single);
        case iei::locking_shift:
            return use_language(udh, element.data, &Languages::locking);
        default:
            return;
    }
}

}  // namespace

UdhElement next_element(Octets& elements) {
    const std::size_t length = elements[1];
    const UdhElement element{.iei = elements[0], .data = elements.subspan(2, length)};
    elements = elements.subspan(2 + length);
    return element;
}

Udh read_udh(Octets elements) {
    Udh udh{.elements = elements};
    udh.malformed = !adds_up(elements);
    if (udh.malformed) {
        return udh;
    }
    for (Octets rest = elements; !rest.empty();) {
        use(udh, next_element(rest));
    }
    return udh;
}

}  // namespace smsrack::pdu
