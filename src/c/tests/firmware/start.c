/* What game.c needs around it on Arm's board MPS2 with the image AN386 (Cortex-M4F): a vector
 * table, start code, a wire, and the way out of an emulator. */
#include <stdint.h>

extern uint32_t stack_top, bss_begin, bss_end;
int game(void);

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CPACR REGISTER(0xe000ed88)
#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_CTRL REGISTER(0x40004008)
#define UART_BAUDDIV REGISTER(0x40004010)

void say(const char *text) {
    for (; *text; text++) {
        while (UART_STATE & 1) {
        }
        UART_DATA = (uint32_t)*text;
    }
}

/* Semihosting: SYS_EXIT_EXTENDED of "application exit". */
static _Noreturn void leave(uint32_t status) {
    uint32_t block[2] = {0x20026, status};
    register uint32_t call __asm__("r0") = 0x20;
    register uint32_t *about __asm__("r1") = block;
    for (;;) __asm__ volatile("bkpt 0xab" : : "r"(call), "r"(about) : "memory");
}

static void fault(void) { leave(3); }

void reset(void) {
    CPACR = 0x00f00000; /* the unit for floating point, for its registers */
    __asm__ volatile("dsb\n isb" : : : "memory");
    for (uint32_t *word = &bss_begin; word < &bss_end; word++) *word = 0;
    UART_BAUDDIV = 25000000 / 115200;
    UART_CTRL = 1;
    leave((uint32_t)game());
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))&stack_top, reset, fault, fault, fault, fault, fault, fault,
    fault, fault, fault, fault, fault, fault, fault, fault};
